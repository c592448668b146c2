import leven from 'leven';
import { requestAnswer } from '../client/api.ts';
import { routes } from '../contract/api/routes.ts';
import type { LineageResolution } from '../contract/relations.ts';
import { NotUnderstood, type ToolContext } from './tool.ts';

type Place = { readonly workspace_id: string; readonly connector_id?: string; readonly as_of?: string | undefined };

type Unresolved = { readonly relation_ref: string; readonly lineage_resolution: LineageResolution };

/** Names that are not in the graph, with the nearest ones, or that several relations of a connector have. */
export function unknownRelation(unresolved: readonly Unresolved[]): NotUnderstood {
  const names = unresolved.map(({ relation_ref }) => relation_ref).join(' and ');
  const candidates = unresolved.flatMap(({ lineage_resolution }) => lineage_resolution.candidates ?? []);
  if (unresolved.every(({ lineage_resolution }) => lineage_resolution.fallback_reason === 'ambiguous'))
    return new NotUnderstood(
      'ambiguous_relation',
      `Several relations have the name ${names}: ${candidates.join(', ')}.`,
      candidates,
    );
  const nearest =
    candidates.length > 0 ? `The nearest names: ${candidates.join(', ')}.` : 'Call search_relations with fewer words.';
  const message = `No relation has the name ${names}, so this says nothing about lineage. ${nearest}`;
  return new NotUnderstood('unknown_relation', message, candidates);
}

/** What is known of columns that none of the relations has: the nearest names that they have, with each its relation. */
export async function unknownColumns(
  context: ToolContext,
  place: Place,
  { columns, relations }: { readonly columns: readonly string[]; readonly relations: readonly string[] },
): Promise<NotUnderstood> {
  const known = await Promise.all(
    relations.map(async (relation_ref) => {
      const { columns: own } = await requestAnswer(context.api, routes.getRelation, {
        query: { ...place, relation_ref },
      });
      return own.map(({ name }) => ({ relation_ref, column: name }));
    }),
  );
  const distance = (name: string) => Math.min(...columns.map((column) => distanceOf(column, name)));
  const nearest = known
    .flat()
    .sort((a, b) => distance(a.column) - distance(b.column) || (a.column < b.column ? -1 : 1))
    .slice(0, 10);
  const names = [...new Set(nearest.map(({ column }) => column))].join(', ');
  const advice = names ? `The nearest names: ${names}.` : 'None of its columns is known.';
  const what = `${columns.join(', ')} in ${relations.join(' and ')}`;
  return new NotUnderstood('unknown_column', `No source names a column ${what}. ${advice}`, nearest);
}

function distanceOf(wanted: string, name: string): number {
  const [a, b] = [wanted.toLowerCase(), name.toLowerCase()];
  return a.includes(b) || b.includes(a) ? Math.abs(a.length - b.length) / 1_000 : leven(a, b);
}
