import { readFileSync } from 'node:fs';
import manifest from '../fixtures/ledger/manifest.json' with { type: 'json' };

/**
 * A dbt project of bookkeeping for DuckDB, and what its runs reported: `dbt-ol build` and `dbt-ol run -s history` of dbt-ol
 * 1.54 with dbt 1.10, `--consume-structured-logs`, and two of its models as tasks of Airflow 2.10 on PostgreSQL. All runs are
 * of the commit before the manifest. The manifest adds rates_history to history and takes accounts from balances.
 */
export const ledger = { manifest, namespace: 'duckdb://ledger.duckdb', airflowNamespace: 'postgres://localhost:5432' };

const recordings = ['dbt-ol-build', 'dbt-ol-structured', 'dbt-ol-selected', 'airflow'] as const;
type Event = { readonly eventType: string; readonly job: { readonly name: string } };

/** As if the runs had ended now: an event of the future is refused. */
export function ledgerRuns(recording: (typeof recordings)[number]): Event[] {
  const file = new URL(`../fixtures/ledger/${recording}.ndjson`, import.meta.url);
  const eventTime = new Date().toISOString();
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => ({ ...JSON.parse(line), eventTime }));
}

/** The verdicts of all edges as a person reads them from the models' text, the recordings and the recorded failures. */
export const ledgerLabels: Readonly<Record<(typeof recordings)[number], string>> = {
  'dbt-ol-build': `
    bank_lines -> lines                confirmed
    accounts_raw -> accounts           confirmed
    rates_raw -> rates                 confirmed
    rates -> rates_history             confirmed
    rates_history -> fx.fx_changes     confirmed
    lines -> postings                  confirmed
    accounts -> postings               confirmed
    postings -> history                confirmed
    rates_history -> history           declared_only never_observed
    postings -> balances               confirmed
    rates -> balances                  confirmed
    accounts -> balances               contradicted
    balances -> statements_v1          confirmed
    balances -> statements_v2          confirmed
    balances -> exposure.ledger.board_pack  declared_only not_covered
    lines -> reconciled                confirmed
    late_fees -> reconciled            contradicted
    accounts -> scores                 confirmed
    accounts_raw -> scores             declared_only not_covered
    accounts_raw -> fees               confirmed
    lines -> fees                      confirmed
    accounts -> ageing                 declared_only not_covered
    ageing -> overdue                  declared_only not_covered
    accounts -> budget                 declared_only not_covered
    budget -> forecast                 declared_only not_covered
    balances -> forecast               declared_only not_covered`,
  // Without the text of a model's statement nobody reports what it reads beside its dependencies. A hook's text is there.
  'dbt-ol-structured': `
    bank_lines -> lines                confirmed
    accounts_raw -> accounts           confirmed
    rates_raw -> rates                 confirmed
    rates -> rates_history             confirmed
    rates_history -> fx.fx_changes     confirmed
    lines -> postings                  confirmed
    accounts -> postings               confirmed
    postings -> history                confirmed
    rates_history -> history           declared_only never_observed
    postings -> balances               confirmed
    rates -> balances                  confirmed
    accounts -> balances               contradicted
    balances -> statements_v1          confirmed
    balances -> statements_v2          confirmed
    balances -> exposure.ledger.board_pack  declared_only not_covered
    late_fees -> fee_totals            observed_only
    lines -> reconciled                confirmed
    accounts -> scores                 confirmed
    accounts_raw -> scores             confirmed
    accounts_raw -> fees               confirmed
    lines -> fees                      confirmed
    accounts -> ageing                 declared_only not_covered
    ageing -> overdue                  declared_only not_covered
    accounts -> budget                 declared_only not_covered
    budget -> forecast                 declared_only not_covered
    balances -> forecast               declared_only not_covered`,
  'dbt-ol-selected': `
    bank_lines -> lines                declared_only not_covered
    accounts_raw -> accounts           declared_only not_covered
    rates_raw -> rates                 declared_only not_covered
    rates -> rates_history             declared_only not_covered
    rates_history -> fx.fx_changes     declared_only not_covered
    lines -> postings                  declared_only not_covered
    accounts -> postings               declared_only not_covered
    postings -> history                confirmed
    rates_history -> history           declared_only never_observed
    postings -> balances               declared_only not_covered
    rates -> balances                  declared_only not_covered
    balances -> statements_v1          declared_only not_covered
    balances -> statements_v2          declared_only not_covered
    balances -> exposure.ledger.board_pack  declared_only not_covered
    lines -> reconciled                declared_only not_covered
    accounts -> scores                 declared_only not_covered
    accounts_raw -> scores             declared_only not_covered
    accounts_raw -> fees               declared_only not_covered
    lines -> fees                      declared_only not_covered
    accounts -> ageing                 declared_only not_covered
    ageing -> overdue                  declared_only not_covered
    accounts -> budget                 declared_only not_covered
    budget -> forecast                 declared_only not_covered
    balances -> forecast               declared_only not_covered`,
  // Airflow reports each input of a task for each of its outputs: the hook's among them.
  airflow: `
    lines -> postings                  confirmed
    accounts -> postings               confirmed
    late_fees -> postings              contradicted
    late_fees -> fee_totals            observed_only
    lines -> fee_totals                observed_only
    accounts -> fee_totals             observed_only
    postings -> balances               confirmed
    rates -> balances                  confirmed
    accounts -> balances               contradicted
    accounts -> ageing                 declared_only not_covered
    accounts -> budget                 declared_only not_covered`,
};
