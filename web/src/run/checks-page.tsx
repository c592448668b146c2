import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { limitLines } from '../../../shared/contract/claim-words.ts';
import { api } from '../api/client.ts';
import { type Check, checkResultsQuery, checksQuery } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { OptionField, Suggestions, TextField } from '../parts/fields.tsx';
import { Listed } from '../parts/listed.tsx';
import { NewEntry } from '../parts/modal.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { splitList } from '../parts/split-list.ts';
import { StateBadge, StateCell } from '../parts/state-badge.tsx';
import { Prose, Time } from '../parts/time.tsx';
import { UndoableButton } from '../parts/undoable-button.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

/** Expectations that are held against the graph, and whether they hold; `?check=` opens the results of one. */
export function ChecksPage() {
  const workspace = useWorkspace();
  const { check } = useSearch({ strict: false }) as Record<string, string>;
  const query = useQuery(checksQuery(workspace?.id ?? ''));
  const checks = (query.data?.agent_checks ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const most = query.data?.max_enabled ?? 0;
  const isFull = checks.filter(({ enabled }) => enabled).length >= most;
  return (
    <div className="stack">
      <PageHead title={texts.checks.title} lead={texts.checks.lead}>
        {query.data && may(workspace, 'editor') && (
          <NewEntry
            title={texts.checks.new}
            form={(close) => <NewCheck workspaceId={workspace?.id ?? ''} enabled={!isFull} close={close} />}
          />
        )}
      </PageHead>
      <Listed
        query={query}
        of={texts.checks}
        items={checks}
        sortBy={sortBy}
        row={(one) => <CheckLine key={one.id} check={one} isAsked={one.id === check} />}
      />
      {query.data && isFull && <p className="dim">{texts.checks.full(most)}</p>}
    </div>
  );
}

const severities = ['info', 'warning', 'critical'] as const;

const sortBy = {
  name: ({ name }: Check) => name,
  expectation: ({ expectation }: Check) => expectation,
  severity: ({ severity }: Check) => severities.indexOf(severity),
};

type NewCheckProps = { readonly workspaceId: string; readonly enabled: boolean; readonly close: () => void };

function NewCheck({ workspaceId, enabled, close }: NewCheckProps) {
  const creating = useChange(['checks', workspaceId]);
  const create = (form: FormData) =>
    api.POST('/v1/agent/checks', {
      body: {
        workspace_id: workspaceId,
        name: String(form.get('name')),
        expectation: String(form.get('expectation')),
        severity: severities.find((one) => one === form.get('severity')) ?? 'warning',
        enabled,
        scope: { include: splitList(form.get('include'), '\n') },
      },
    });
  return (
    <form className="fields" onSubmit={creating.submit(create, close)}>
      <CheckFields />
      <button type="submit" className="primary" disabled={creating.isPending}>
        {texts.checks.create}
      </button>
      {creating.error && <Failure error={creating.error} needs="editor" />}
    </form>
  );
}

function CheckFields() {
  const examples = useId();
  return (
    <>
      <div className="field-row">
        <TextField label={texts.checks.headings.name} name="name" required maxLength={100} />
        <OptionField
          label={texts.checks.headings.severity}
          name="severity"
          options={severities}
          defaultValue="warning"
        />
      </div>
      <label>
        {texts.checks.headings.expectation}
        <input name="expectation" type="text" required maxLength={2_000} list={examples} autoComplete="off" />
        <span className="dim">{texts.checks.expectationHow}</span>
      </label>
      <Suggestions id={examples} values={texts.checks.examples} />
      <label>
        {texts.checks.include}
        <textarea name="include" rows={2} spellCheck={false} placeholder="shop.marts.*" />
      </label>
    </>
  );
}

const columns = Object.keys(texts.checks.headings).length;

/** A check with its newest result, and below it, if that is requested, the earlier ones. */
function CheckLine({ check, isAsked }: { readonly check: Check; readonly isAsked: boolean }) {
  const [isOpen, setOpen] = useState(isAsked);
  return (
    <>
      <tr>
        <th scope="row">{check.name}</th>
        <td>{check.expectation}</td>
        <StateCell state={check.severity} />
        <td>
          <LastResult check={check} />
        </td>
        <td>
          <div className="actions">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={texts.checks.resultsOf(check.name)}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? texts.checks.hideResults : texts.checks.results}
            </button>
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
  const changing = useChange(['checks', workspace_id]);
  const path = { check_id };
  const one = '/v1/agent/checks/{check_id}';
  if (!may(workspace, 'editor')) return null;
  const actions = [
    {
      label: enabled ? texts.checks.disable : texts.checks.enable,
      act: () => api.PATCH(one, { params: { path }, body: { workspace_id, enabled: !enabled } }),
    },
    { label: texts.checks.run, act: () => api.POST(`${one}/run`, { params: { path }, body: { workspace_id } }) },
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
      <UndoableButton
        label={texts.checks.remove}
        name={name}
        act={() => changing.change(() => api.DELETE(one, { params: { path, query: { workspace_id } } }))}
      />
      {changing.error && <Failure error={changing.error} needs="editor" />}
    </>
  );
}

const listed = 10;

function CheckResults({ check }: { readonly check: Check }) {
  const { data, error, isPending } = useQuery(checkResultsQuery(check.workspace_id, check.id));
  if (isPending) return <p role="status">{texts.loading}</p>;
  if (error) return <Failure error={error} needs="viewer" />;
  if (data.items.length === 0) return <p className="dim">{texts.checks.resultsNone}</p>;
  return (
    <ul className="plain" aria-label={texts.checks.resultsOf(check.name)}>
      {data.items.map(({ id, state, since, evaluated_at, delivery_id, violations, violations_total, claim }) => (
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
            {state === 'passed' &&
              claim &&
              limitLines(claim).map((line) => (
                <li key={line}>
                  <Prose text={line} />
                </li>
              ))}
            {violations_total > listed && <li>{texts.checks.moreViolations(violations_total - listed)}</li>}
          </ul>
        </li>
      ))}
    </ul>
  );
}
