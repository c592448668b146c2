import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Failure } from '../parts/failure.tsx';
import { texts } from '../texts.ts';

type PayloadProps = {
  readonly workspaceId: string;
  readonly deliveryId: string;
  /** JSON pointer to what is to be shown; empty: all of it. */
  readonly pointer: string;
};

/** More than anyone reads; a browser would be slow. */
const shownCharacters = 200_000;

/** The bytes as they were received, or the part that a pointer names. */
export function Payload({ workspaceId, deliveryId, pointer }: PayloadProps) {
  const { data, error, isPending } = useQuery({
    queryKey: ['payload', workspaceId, deliveryId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const params = { path: { delivery_id: deliveryId }, query: { workspace_id: workspaceId } };
      const { data: text } = await api.GET('/v1/lineage/deliveries/{delivery_id}/payload', {
        params,
        parseAs: 'text',
        signal,
      });
      return String(text);
    },
  });
  if (isPending) return <p role="status">{texts.loading}</p>;
  if (error) return <Failure error={error} />;
  const text = partOf(data, pointer);
  return (
    <section className="card">
      <h2>{texts.deliveries.payloadTitle}</h2>
      {pointer && <p className="ref">{pointer}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        <code>{text.slice(0, shownCharacters)}</code>
      </pre>
      {text.length > shownCharacters && <p className="dim">{texts.deliveries.payloadCut}</p>}
    </section>
  );
}

function partOf(text: string, pointer: string): string {
  try {
    let part: unknown = JSON.parse(text);
    for (const key of pointer.split('/').slice(1))
      part = (part as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
    // A pointer that leads nowhere shows all of it.
    return part === undefined ? text : JSON.stringify(part, null, 2);
  } catch {
    return text;
  }
}
