import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { nameOf } from '../../../shared/contract/layers.ts';
import { relationsQuery, type Workspace } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { LayerIcon, Ref } from '../parts/layer.tsx';
import { texts } from '../texts.ts';
import { recentRelations } from './recent.ts';

const recentShown = 5;

export function Recent() {
  const recent = recentRelations().slice(0, recentShown);
  if (recent.length === 0) return null;
  return (
    <ul className="plain recent" aria-label={texts.search.recent}>
      {recent.map(({ connector, relation }) => (
        <li key={`${connector} ${relation}`}>
          <Link to="/lineage" search={{ connector, relation }} title={relation} className="ref">
            {nameOf(relation)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The service lists the most connected relations first; of these the most read ones are shown. */
const candidates = 50;

type UsedProps = { readonly workspace: Workspace; readonly words: string; readonly most: number };

/** The relations that words find, or all, with the number of relations that read them. */
export function Used({ workspace, words, most }: UsedProps) {
  const { data, error, isPending } = useQuery(relationsQuery(workspace.id, words, undefined, candidates));
  const found = data?.items ?? [];
  const byReaders = found.toSorted((a, b) => b.downstream_count - a.downstream_count);
  const items = (words === '' ? byReaders : found).slice(0, most);
  const highest = Math.max(1, ...items.map(({ downstream_count }) => downstream_count));
  if (isPending) return <p role="status">{texts.loading}</p>;
  if (error) return <Failure error={error} needs="viewer" />;
  if (items.length === 0)
    return <p className="dim">{words === '' ? texts.start.popularNone : texts.palette.nothing(words)}</p>;
  return (
    <ul className="plain used">
      {items.map(({ relation_ref, connector_id, downstream_count, layer }) => (
        <li key={`${connector_id} ${relation_ref}`}>
          <LayerIcon layer={layer} />
          <Link
            to="/lineage"
            search={{ connector: connector_id ?? workspace.connectors[0]?.id, relation: relation_ref }}
          >
            <Ref of={relation_ref} />
          </Link>
          <span className="dim">{texts.search.readers(downstream_count)}</span>
          <meter aria-hidden="true" max={highest} value={downstream_count} />
        </li>
      ))}
    </ul>
  );
}
