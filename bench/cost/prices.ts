/**
 * Dollars of one unit in us-east-1 in November 2026, and the pages of AWS that hold: compare them before a decision.
 * Those of Lambda, SQS and REST are as others quote the pages, those of Firehose, Athena, logs, alarms, metrics and traces
 * unconfirmed.
 */
const prices = {
  /** https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  write_units: 0.625e-6,
  read_units: 0.125e-6,
  /** The same page, of the table class for infrequent access, which the ledger of event ids has */
  ledger_write_units: 0.78125e-6,
  ledger_read_units: 0.15625e-6,
  /** A GB and month of each class; of the main table including point-in-time recovery. */
  ledger_gb_months: 0.1,
  table_gb_months: 0.25 + 0.2,
  /** https://aws.amazon.com/s3/pricing/, standard */
  s3_gb_months: 0.023,
  /** https://aws.amazon.com/api-gateway/pricing/, REST, the first 333 million a month */
  gateway_requests: 3.5e-6,
  /** https://aws.amazon.com/lambda/pricing/, arm */
  lambda_requests: 0.2e-6,
  lambda_gb_seconds: 13.3334e-6,
  /** https://aws.amazon.com/sqs/pricing/, standard, each 64 KB */
  sqs_requests: 0.4e-6,
  /** https://aws.amazon.com/s3/pricing/; DELETE costs nothing */
  s3_puts: 5e-6,
  s3_gets: 0.4e-6,
  /** https://aws.amazon.com/firehose/pricing/, into Iceberg; taken to be rounded up to 5 KB a record, as into S3 */
  firehose_bytes: 0.075e-9,
  /** https://aws.amazon.com/athena/pricing/ */
  athena_bytes: 5e-12,
  /** https://aws.amazon.com/cloudwatch/pricing/; alarms and metrics are of a month. */
  log_bytes: 0.5e-9,
  alarm_metrics: 0.1,
  custom_metrics: 0.3,
  /** https://aws.amazon.com/xray/pricing/ */
  traces: 5e-6,
} as const;

/** What an account has for nothing each month, for good. */
const free: Usage = {
  lambda_requests: 1e6,
  lambda_gb_seconds: 400_000,
  sqs_requests: 1e6,
  log_bytes: 5e9,
  alarm_metrics: 10,
  custom_metrics: 10,
  traces: 100_000,
};

export type Unit = keyof typeof prices;
export type Usage = Readonly<Partial<Record<Unit, number>>>;

/** Each unit times a factor, added up over all usages. */
export function total(...usages: readonly (readonly [usage: Usage, times: number])[]): Usage {
  const sums: Partial<Record<Unit, number>> = {};
  for (const [usage, times] of usages)
    for (const unit of units) if (usage[unit] !== undefined) sums[unit] = (sums[unit] ?? 0) + usage[unit] * times;
  return sums;
}

const units = Object.keys(prices) as Unit[];

/** What is left to pay where nothing else of the account takes the free tiers. */
export const beyondFree = (usage: Usage): Usage =>
  Object.fromEntries(units.map((unit) => [unit, Math.max(0, (usage[unit] ?? 0) - (free[unit] ?? 0))]));

/** Dollars by unit, the largest first, and of all together. */
export function dollars(usage: Usage) {
  const lines = units.flatMap((unit) => (usage[unit] ? [[unit, round(usage[unit] * prices[unit])] as const] : []));
  const by_unit = Object.fromEntries(lines.filter(([, usd]) => usd > 0).sort(([, a], [, b]) => b - a));
  return { usd: round(dollarsOf(usage)), by_unit };
}

export const dollarsOf = (usage: Usage): number =>
  units.reduce((sum, unit) => sum + (usage[unit] ?? 0) * prices[unit], 0);

const round = (usd: number): number => Number(usd.toFixed(3));
