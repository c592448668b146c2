/** Steps that are left for the statements of one text. */
export type Budget = { left: number };

export class BudgetExceeded extends Error {}

/**
 * Expressions, sources, columns and what is copied or searched: two thousand in the largest of TPC-DS, while a
 * `SELECT *, *` of a `SELECT *, *` doubles them at each level.
 */
const maxStatementSteps = 250_000;

/** Scripts of many statements. */
const maxTextSteps = 1_000_000;

export function textBudget(): Budget {
  return { left: maxTextSteps };
}

/** Takes steps from what one statement, and the text that it is of, may use. */
export function statementBudget(text: Budget): (steps: number) => void {
  let left = maxStatementSteps;
  return (steps) => {
    left -= steps;
    text.left -= steps;
    if (left < 0 || text.left < 0) throw new BudgetExceeded();
  };
}
