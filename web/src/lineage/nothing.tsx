import { Link } from '@tanstack/react-router';
import type { Impact } from '../api/queries.ts';
import { texts } from '../texts.ts';
import type { Address } from './address.ts';

/** Why there is nothing to show, and where to go instead. */
export function Nothing({ answer, address }: { readonly answer: Impact; readonly address: Address }) {
  const { candidates = [] } = answer.lineage_resolution;
  return (
    <section className="empty">
      <p>{answer.graph_found ? texts.lineage.unresolved(address.relation) : texts.lineage.noGraph}</p>
      {candidates.length > 0 && <p>{texts.lineage.candidates}</p>}
      <ul className="plain">
        {candidates.map((relation) => (
          <li key={relation}>
            <Link to="/lineage" search={{ connector: address.connector, relation }} className="ref">
              {relation}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says under which rule a name was understood, where it was not written as the graph has it. */
export function resolutionNote({ lineage_resolution, root }: Impact, asked: string) {
  const { method, fallback_reason: reason } = lineage_resolution;
  if (method === 'exact' || method === 'unresolved' || root.relation_ref === asked) return null;
  return <p className="dim">{texts.lineage.resolved(asked, (reason ?? method).replaceAll('_', ' '))}</p>;
}
