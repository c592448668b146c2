export type Budget = { left: number };

export class BudgetExceeded extends Error {}

/** Takes this many steps; throws `BudgetExceeded` where they are not left. */
export type Spend = (steps: number) => void;

/** Takes steps from each of the budgets; throws `BudgetExceeded` where one has none left. */
export const spendFrom =
  (budgets: readonly Budget[]): Spend =>
  (steps) => {
    for (const budget of budgets) {
      budget.left -= steps;
      if (budget.left < 0) throw new BudgetExceeded();
    }
  };
