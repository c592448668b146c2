import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { type Check, checkResultsQuery } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { CheckResults } from './check-results.tsx';

const columns = Object.keys(texts.checks.headings).length;

/** A check with its newest result, and below it, where that is asked for, the earlier ones. */
export function CheckLine({ check, isAsked }: { readonly check: Check; readonly isAsked: boolean }) {
  const [isOpen, setOpen] = useState(isAsked);
  return (
    <>
      <tr>
        <th scope="row">{check.name}</th>
        <td>{check.expectation}</td>
        <td>
          <StateBadge state={check.severity} />
        </td>
        <td>
          <LastResult check={check} />
        </td>
        <td>
          <div className="actions">
            <ResultsToggle name={check.name} isOpen={isOpen} toggle={() => setOpen(!isOpen)} />
            <Actions check={check} />
          </div>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={columns}>
            <CheckResults check={check} />
          </td>
        </tr>
      )}
    </>
  );
}

type ResultsToggleProps = { readonly name: string; readonly isOpen: boolean; readonly toggle: () => void };

const ResultsToggle = ({ name, isOpen, toggle }: ResultsToggleProps) => (
  <button type="button" aria-expanded={isOpen} aria-label={texts.checks.resultsOf(name)} onClick={toggle}>
    {isOpen ? texts.checks.hideResults : texts.checks.results}
  </button>
);

function LastResult({ check }: { readonly check: Check }) {
  const { data } = useQuery(checkResultsQuery(check.workspace_id, check.id));
  const last = data?.items[0];
  if (last === undefined) return <span className="dim">{data && texts.checks.resultsNone}</span>;
  return (
    <>
      <StateBadge state={last.state} />{' '}
      <span className="dim">
        {texts.checks.since} <Time at={last.since} />
      </span>
    </>
  );
}

function Actions({ check: { id: check_id, workspace_id, name, enabled } }: { readonly check: Check }) {
  const workspace = useWorkspace();
  const changing = useChange<unknown>(['checks', workspace_id]);
  const path = { check_id };
  const one = '/v1/agent/checks/{check_id}';
  if (!may(workspace, 'editor')) return null;
  const actions = [
    {
      label: enabled ? texts.checks.disable : texts.checks.enable,
      act: () => api.PATCH(one, { params: { path }, body: { workspace_id, enabled: !enabled } }),
    },
    { label: texts.checks.run, act: () => api.POST(`${one}/run`, { params: { path }, body: { workspace_id } }) },
    { label: texts.checks.remove, act: () => api.DELETE(one, { params: { path, query: { workspace_id } } }) },
  ];
  return (
    <>
      {actions.map(({ label, act }) => (
        <button
          key={label}
          type="button"
          aria-label={`${label} ${name}`}
          disabled={changing.isPending}
          onClick={() => changing.change(act)}
        >
          {label}
        </button>
      ))}
      {changing.error && <Failure error={changing.error} needs="editor" />}
    </>
  );
}
