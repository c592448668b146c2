import type { ConnectorId } from '../../contract/ids.ts';
import type { EdgeDetail } from '../graph/detail-store.ts';
import type { Connector } from '../identity/connector.ts';
import { dialectNamed } from '../sql/dialect.ts';
import { maskedLiterals } from '../sql/masked-literals.ts';

type Connectors = ReadonlyMap<ConnectorId, Pick<Connector, 'kind' | 'expression_literals'>>;

/** What becomes of SQL text about an edge: without its literals where a connector of either end masks them (C-POLICY-16). */
export function shownSql(connectors: Connectors, owners: readonly ConnectorId[]): (text: string) => string {
  const masking = maskingOf(connectors, owners);
  if (!masking) return (text) => text;
  const dialect = dialectNamed(masking.kind) ?? 'ansi';
  return (text) => maskedLiterals(text, dialect);
}

const maskingOf = (connectors: Connectors, owners: readonly ConnectorId[]) =>
  owners.map((owner) => connectors.get(owner)).find((one) => one?.expression_literals === 'masked');

/** A detail with its expressions as they may be shown. */
export function shownDetail(connectors: Connectors, owners: readonly ConnectorId[], detail: EdgeDetail): EdgeDetail {
  if (!maskingOf(connectors, owners)) return detail;
  const shown = shownSql(connectors, owners);
  const columns = detail.columns.map((column) =>
    column.expression === undefined ? column : { ...column, expression: shown(column.expression) },
  );
  return { ...detail, columns };
}
