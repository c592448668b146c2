import type { Gap } from '../api/queries.ts';
import { Snippet } from '../parts/snippet.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { Unresolved } from './delivery-problems.tsx';

type GapRowProps = {
  readonly gap: Gap & { readonly provider: { readonly display_name: string } };
  readonly set: (status: 'open' | 'ignored') => void;
};

/** A gap with its provider, which an admin may set aside or open again. */
export function GapRow({ gap: { gap_type, status, opened_at, details, provider }, set }: GapRowProps) {
  const workspace = useWorkspace();
  const isOpen = status === 'open';
  return (
    <tr>
      <th scope="row">{gap_type.replaceAll('_', ' ')}</th>
      <td>{provider.display_name}</td>
      <td>
        <StateBadge state={status} />
      </td>
      <td>
        <Time at={opened_at} />
      </td>
      <td>
        <Reason details={details} />
      </td>
      <td>
        {may(workspace, 'admin') && status !== 'resolved' && (
          <button type="button" onClick={() => set(isOpen ? 'ignored' : 'open')}>
            {isOpen ? texts.gaps.ignore : texts.gaps.reopen}
          </button>
        )}
      </td>
    </tr>
  );
}

/** Why it is a gap, with what would close it where that is known. */
const Reason = ({ details }: { readonly details: Gap['details'] }) => {
  const { reason, namespaces = [], command, unresolved = [] } = details;
  return (
    <>
      {reason.replaceAll('_', ' ')}
      {namespaces.length > 0 && (
        <ul className="plain">
          {namespaces.map(({ namespace, datasets }) => (
            <li key={namespace}>
              <span className="ref">{namespace}</span> <span className="dim">{texts.gaps.datasets(datasets)}</span>
            </li>
          ))}
        </ul>
      )}
      {unresolved.length > 0 && (
        <ul className="plain">
          {unresolved.map((one) => (
            <Unresolved key={one.reason} one={one} />
          ))}
        </ul>
      )}
      {command && <Snippet label={texts.gaps.command} text={command} />}
    </>
  );
};
