import type { Connector } from '../identity/connector.ts';
import { begun, type GraphRecord, newGraphRecord } from '../naming/graph-record.ts';
import { namingOf } from '../naming/naming.ts';
import { namesAffected } from '../naming/said.ts';
import type { Registry, Write } from './registry.ts';

/** A transaction takes a hundred writes, of which the change itself needs some. */
const mostNamesChecked = 90;

/**
 * What has to be written with a connector that is new (`before` null) or changed, so that its names hold for what was
 * stated before as well (C-IDENTITY-7): nothing more where no delivery used one of them; else the graph keeps the names
 * it has, and one with the new names is made in addition to it.
 */
export async function nameChange(
  { graphs, saidNames }: Pick<Registry, 'graphs' | 'saidNames'>,
  { before, after, now }: { readonly before: Connector | null; readonly after: Connector; readonly now: Date },
): Promise<readonly Write[]> {
  const names = namesAffected(before, after);
  if (names.length === 0) return [];
  const { workspace_id: workspace, id } = after;
  const found = await graphs.find({ workspace_id: workspace });
  const record = found?.record ?? newGraphRecord(workspace);
  const changed = { ...record, changes: record.changes + 1 };
  const put = (to: GraphRecord) => (found ? graphs.replace(found, to) : graphs.create(to));
  const isUsed = id in record.held || names.length > mostNamesChecked || (await saidNames.any(workspace, names));
  if (!isUsed)
    return [
      put(record.rewrite ? { ...changed, due_at: now.toISOString() } : changed),
      ...saidNames.none(workspace, names),
    ];
  const held = id in record.held ? record.held : { ...record.held, [id]: before && namingOf(before) };
  return [put(begun({ ...changed, held }, now))];
}
