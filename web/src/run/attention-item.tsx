import type { Attention } from '../api/run-queries.ts';
import { PageLink } from '../parts/page-link.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

type AttentionItemProps = {
  readonly item: Attention;
  readonly decide: (decision: 'approve' | 'deny') => void;
};

/** Something that waits for the person; of a request for access an admin decides here. */
export function AttentionItem({ item, decide }: AttentionItemProps) {
  const workspace = useWorkspace();
  const { kind, href, title, description, requester, severity, timestamp } = item;
  return (
    <article className="card">
      <h2>{title}</h2>
      <p className="dim">
        <StateBadge state={severity} /> {requester} <Time at={timestamp} />
      </p>
      {description && <p>{description}</p>}
      {kind !== 'access_request' && <PageLink href={href}>{texts.access.look}</PageLink>}
      {kind === 'access_request' && may(workspace, 'admin') && (
        <p className="field-row">
          <button type="button" className="primary" onClick={() => decide('approve')}>
            {texts.access.approve}
          </button>
          <button type="button" onClick={() => decide('deny')}>
            {texts.access.deny}
          </button>
        </p>
      )}
    </article>
  );
}
