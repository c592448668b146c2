import type { EventCounts } from '../api/run-queries.ts';
import { DataTable } from '../parts/listed.tsx';
import { TimeCell } from '../parts/time.tsx';
import { texts } from '../texts.ts';

type SendersProps = { readonly counts: EventCounts; readonly name: string };

/** Who sent what was rejected, or broke a rule of the plan. */
export function CollectionSenders({ counts: { senders, other_senders }, name }: SendersProps) {
  const { sendersTitle, sendersHead, otherSenders, unknownSender } = texts.collection;
  return (
    <details>
      <summary>{sendersTitle(senders.length)}</summary>
      <DataTable title={`${sendersTitle(senders.length)}, ${name}`} headings={Object.values(sendersHead)}>
        {senders.map(({ rule, library, version, origin, events, last_at }) => (
          <tr key={[rule, library, version, origin].join(' ')}>
            <th scope="row">{[library ?? unknownSender, version].filter(Boolean).join(' ')}</th>
            <td>{origin}</td>
            <td>{rule}</td>
            <td>{events.toLocaleString()}</td>
            <TimeCell at={last_at} />
          </tr>
        ))}
      </DataTable>
      {other_senders && <p className="dim">{otherSenders(other_senders.events)}</p>}
    </details>
  );
}
