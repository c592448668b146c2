import type { Command } from 'commander';
import { readAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { type Context, limitOption, serves } from '../framework.ts';
import { answersFromFiles, type FileOptions, sessionOrFiles } from '../offline/lineage-files.ts';
import { listed, type Outcome } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable, table } from '../terminal/terminal.ts';

export function registerSearch(program: Command, context: Context): void {
  answersFromFiles(program.command('search'))
    .description(
      'finds relations by words of their names or columns: prefixes first, then other parts, else names with one typo',
    )
    .argument('<words...>', 'such as: raw ord')
    .option('--columns', 'search columns: the last word is a part of the column name, earlier words match the relation')
    .addOption(limitOption)
    .action(serves(context, search, sessionOrFiles));
}

type Options = FileOptions & { readonly limit: number; readonly columns?: true };

async function search(session: Session, words: readonly string[], { limit, columns }: Options): Promise<Outcome> {
  const connector_id = (await session.namedConnector())?.id;
  const query = { connector_id, q: words.join(' '), ...(columns && { in: 'columns' }) };
  const page = await session.pages(routes.listRelations, { query }, limit);
  return listed(page, () => {
    const { items, candidates = [] } = readAnswer(routes.listRelations, page);
    if (items.length === 0) return nothingFound(candidates, columns === true);
    const rows = items.map(({ relation_ref: RELATION, kind: KIND, ...item }) =>
      columns
        ? { RELATION, COLUMNS: (item.columns ?? []).join(', '), KIND }
        : { RELATION, KIND, READS: item.upstream_count, 'IS READ BY': item.downstream_count },
    );
    return table(rows).join('\n');
  });
}

function nothingFound(candidates: readonly string[], inColumns: boolean): string {
  const nearest = candidates.length > 0 ? ` The nearest names: ${candidates.join(', ')}` : '';
  return printable(`No relation matches this ${inColumns ? 'column' : 'name'}.${nearest}`);
}
