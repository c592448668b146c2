import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Check, checkResultsQuery } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { texts } from '../texts.ts';

const listed = 10;

/** What was found of a check, newest first. */
export function CheckResults({ check }: { readonly check: Check }) {
  const { data, error, isPending } = useQuery(checkResultsQuery(check.workspace_id, check.id));
  if (isPending) return <p role="status">{texts.loading}</p>;
  if (error) return <Failure error={error} needs="viewer" />;
  if (data.items.length === 0) return <p className="dim">{texts.checks.resultsNone}</p>;
  return (
    <ul className="plain pieces" aria-label={texts.checks.resultsOf(check.name)}>
      {data.items.map(({ id, state, since, evaluated_at, delivery_id, violations, violations_total }) => (
        <li key={id} className="piece">
          <p>
            <StateBadge state={state} /> <Time at={evaluated_at} />{' '}
            <span className="dim">
              {texts.checks.since} <Time at={since} />
              {violations_total > 0 && ` · ${texts.checks.violations(violations_total)}`}
            </span>{' '}
            {delivery_id && (
              <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery_id }}>
                {texts.evidence.delivery} <code>{delivery_id.slice(0, 8)}</code>
              </Link>
            )}
          </p>
          <ul>
            {violations.slice(0, listed).map(({ relation_ref, column, message }) => (
              <li key={`${relation_ref} ${column} ${message}`}>{message}</li>
            ))}
            {violations_total > listed && <li>{texts.checks.moreViolations(violations_total - listed)}</li>}
          </ul>
        </li>
      ))}
    </ul>
  );
}
