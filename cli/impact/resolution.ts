import { requestAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { nearest } from '../../shared/domain/lineage/names/nearest.ts';
import { type CommandError, notFound } from '../outcome.ts';
import type { Place, Session } from '../session.ts';
import { printable } from '../terminal/terminal.ts';

type ConnectorAnswer = { readonly connector: Place; readonly answer: ImpactAnswer };

type Resolution = {
  readonly method: string;
  readonly fallback_reason: string | null;
  readonly candidates?: readonly string[] | undefined;
};

/** What to say if a name means no relation of some connectors, or several; null if it means one. */
export function unresolvedRelation(
  ref: string,
  connectors: readonly Place[],
  { method, fallback_reason, candidates = [] }: Resolution,
): CommandError | null {
  if (method !== 'unresolved') return null;
  const names = nearest(ref, [...new Set(candidates)]);
  const what = printable(JSON.stringify(ref));
  const where = `connector${connectors.length > 1 ? 's' : ''} ${printable(connectors.map(({ name }) => name).join(', '))}`;
  if (fallback_reason === 'ambiguous')
    return notFound(`${what} means several relations of ${where}.`, [
      'Name more of its parts:',
      ...names.map((name) => `  ${printable(name)}`),
    ]);
  return notFound(`There is no relation ${what} in ${where}.`, hintsOf(names));
}

const hintsOf = (names: readonly string[]): string[] =>
  names.length > 0
    ? ['The nearest names:', ...names.map((name) => `  ${printable(name)}`)]
    : [
        'No similar names exist. Find relations with tributary search WORDS, and see what was sent with tributary status.',
      ];

/** The message for a requested column that nothing names; null if all are known. */
export async function unknownColumns(
  session: Session,
  { connector, answer: { root, precision, column_lineage } }: ConnectorAnswer,
  columns: readonly string[],
): Promise<CommandError | null> {
  const places = [...precision.reasons, ...column_lineage.unresolved];
  const isUnknown = places.some(
    ({ relation_ref, reason }) => relation_ref === root.relation_ref && reason === 'unknown_column',
  );
  if (columns.length === 0 || !isUnknown) return null;
  const unresolved = column_lineage.unresolved.filter(({ reason }) => reason === 'unknown_column');
  const named = unresolved.flatMap(({ column }) => (column ? [column] : []));
  const requested = [...new Set(named.length > 0 ? named : columns)];
  const known = await columnsOf(session, connector, root.relation_ref);
  return notFound(
    // A list in part does not prove that there is no such column.
    `No source names a column ${requested.map((one) => printable(JSON.stringify(one))).join(', ')} of ${printable(root.relation_ref)}.`,
    [
      ...(known.length > 0 ? [`Known columns: ${printable(nearest(requested[0] ?? '', known).join(', '))}`] : []),
      'Without --column the result covers the whole relation.',
    ],
  );
}

async function columnsOf(session: Session, connector: Place, relation_ref: string): Promise<readonly string[]> {
  const query = { connector_id: connector.id, relation_ref };
  try {
    return (await requestAnswer(session, routes.getRelation, { query })).columns.map(({ name }) => name);
  } catch {
    // The failure that the hint belongs to is what has to be said.
    return [];
  }
}
