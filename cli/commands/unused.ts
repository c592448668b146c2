import type { Command } from 'commander';
import { readItems, requestAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { Claim, LimitCode } from '../../shared/contract/claim.ts';
import { limitLines } from '../../shared/contract/claim-words.ts';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { type Context, serves } from '../framework.ts';
import { answersFromFiles, type FileOptions, sessionOrFiles } from '../offline/lineage-files.ts';
import type { Outcome } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable, table } from '../terminal/terminal.ts';

export function registerUnused(program: Command, context: Context): void {
  answersFromFiles(program.command('unused'))
    .description('lists relations that nothing known reads, and what is open about each')
    .option('--columns', 'also list columns that nothing known reads, of relations that are read')
    .action(serves(context, unused, sessionOrFiles));
}

type Options = FileOptions & { readonly columns?: true };

type Unused = {
  readonly relation_ref: string;
  /** Null: the whole relation. */
  readonly column: string | null;
  /** False if something is open that may read it: it is not known to be unused. */
  readonly unused: boolean;
  readonly open_reasons: readonly string[];
  readonly claim: Claim;
};

async function unused(session: Session, _: readonly string[], { columns }: Options): Promise<Outcome> {
  const { id: connector_id, name } = await session.connector();
  const page = await session.pages(routes.listRelations, { query: { connector_id } });
  const relations = readItems(routes.listRelations, page).filter(({ kind }) => kind === 'relation');
  const items: Unused[] = [];
  for (const { relation_ref, downstream_count } of relations) {
    const asked = { connector_id, relation_ref };
    if (downstream_count === 0) items.push(await unreadRelation(session, asked));
    else if (columns) items.push(...(await unreadColumns(session, asked)));
  }
  const text = () =>
    relations.length === 0 ? `No relation belongs to connector ${printable(name)} yet.` : textOf(items);
  return { json: { items }, items, text };
}

type Asked = { readonly connector_id: string; readonly relation_ref: string };

async function unreadRelation(session: Session, query: Asked): Promise<Unused> {
  const { relation_ref, claim } = await requestAnswer(session, routes.getRelation, { query });
  return { relation_ref, column: null, ...openIn(claim, []), claim };
}

/**
 * Columns that no reader maps, and that the relation's own next run does not need. A reader whose columns are not known
 * may read any of them.
 */
async function unreadColumns(session: Session, asked: Asked): Promise<readonly Unused[]> {
  const { columns: all } = await requestAnswer(session, routes.getRelation, { query: asked });
  const columns = all.filter(({ read_by_itself }) => !read_by_itself);
  if (columns.length === 0) return [];
  const query = { ...asked, column_ref: columns.map(({ name }) => name), direction: 'downstream', max_depth: 1 };
  const { root, column_lineage, precision, claim } = await requestAnswer(session, routes.getImpact, { query });
  const paths = column_lineage.paths.filter(({ upstream }) => upstream.relation_ref === root.relation_ref);
  const read = new Set(paths.map(({ upstream }) => upstream.column.toLowerCase()));
  const open = openIn(claim, precision.reasons);
  return columns
    .filter(({ name }) => !read.has(name.toLowerCase()))
    .map(({ name }) => ({ relation_ref: root.relation_ref, column: name, ...open, claim }));
}

/** Beyond the direct readers nobody reads the column itself, and the reasons name whose columns are not known. */
const elsewhere: readonly string[] = ['cut_by_depth', 'not_followed_further', 'columns_unknown'] satisfies LimitCode[];

function openIn({ limits }: Claim, reasons: ImpactAnswer['precision']['reasons']) {
  const open = [
    ...limits.filter(({ code, blocks }) => blocks && !elsewhere.includes(code)).map(({ text }) => text),
    ...reasons.map(({ relation_ref, reason }) => `${reason.replaceAll('_', ' ')} (${relation_ref})`),
  ];
  return { unused: open.length === 0, open_reasons: [...new Set(open)] };
}

function textOf(items: readonly Unused[]): string {
  if (items.length === 0) return 'Something known reads every relation.';
  const rows = items.map(({ relation_ref, column, unused: isUnused, open_reasons }) => ({
    UNUSED: column === null ? relation_ref : `${relation_ref} · ${column}`,
    WHY: isUnused
      ? 'nothing known reads it'
      : `not known to be unused: ${open_reasons.map((one) => one.replace(/\.$/, '')).join('; ')}`,
  }));
  const remarks = items.flatMap(({ claim }) => limitLines({ limits: claim.limits.filter(({ blocks }) => !blocks) }));
  return [...table(rows), ...new Set(remarks.map(printable))].join('\n');
}
