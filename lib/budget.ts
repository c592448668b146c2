import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Tenant } from './tenant.ts';

/** Of the month's budget, in percent: what was spent, and what will have been. */
const thresholds = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/** Writes to the tenant's address when its resources cost more than it says; nothing where it says nothing. */
export function addBudget(scope: Construct, { name, monthlyBudget, alarmEmail }: Tenant): void {
  if (monthlyBudget === undefined || alarmEmail === undefined) return;
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      // By the tag of all resources, once the account has activated it for cost allocation.
      costFilters: { TagKeyValue: [`user:tributary:tenant$${name}`] },
    },
    notificationsWithSubscribers: thresholds.map((threshold) => ({
      notification: { ...threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
    })),
  });
}
