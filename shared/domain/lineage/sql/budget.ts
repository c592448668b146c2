import { type Budget, type Spend, spendFrom } from '../../base/caching.ts';

/**
 * Expressions, sources, columns and what is copied or searched: two thousand in the largest of TPC-DS, while a
 * `SELECT *, *` of a `SELECT *, *` doubles them at each level.
 */
const maxStatementSteps = 250_000;

/** Scripts of many statements. */
const maxTextSteps = 1_000_000;

/** Documents of thousands of statements: those that people write take about a step for two characters. */
const documentSteps = { least: 1_000_000, perCharacter: 2 };

export const textBudget = (): Budget => ({ left: maxTextSteps });

/** @param characters of all statements of the document */
export const documentBudget = (characters: number): Budget => ({
  left: documentSteps.least + documentSteps.perCharacter * characters,
});

/** Charges steps to the budgets of a statement and of the texts that contain it. */
export const statementBudget = (texts: readonly Budget[]): Spend => spendFrom([{ left: maxStatementSteps }, ...texts]);
