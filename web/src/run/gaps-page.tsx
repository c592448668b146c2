import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import type { DeliveryState, Gap } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { type GapOfProviders, useGaps } from '../parts/gaps.ts';
import { Breakable } from '../parts/layer.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useScopeName } from '../parts/provider-names.ts';
import { Snippet } from '../parts/snippet.tsx';
import { StateCell } from '../parts/state-badge.tsx';
import { Prose, Time, TimeCell } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { Unresolved } from './delivery-problems.tsx';

const route = '/v1/lineage/providers/{provider_instance_id}/gaps/{gap_id}';

export function GapsPage() {
  const workspaceId = useWorkspace()?.id ?? '';
  const [isAll, setAll] = useState(false);
  const { gaps, ...query } = useGaps(workspaceId);
  const setting = useChange(['providers', workspaceId]);
  const shown = gaps.filter(({ status }) => isAll || status === 'open');
  const set = ({ all }: GapOfProviders, status: 'open' | 'ignored') => {
    const body = { workspace_id: workspaceId, status };
    const paths = all.map(({ id: gap_id, provider }) => ({ provider_instance_id: provider.id, gap_id }));
    setting.change(async () => {
      await Promise.all(paths.map((path) => api.PATCH(route, { params: { path }, body })));
      return {};
    });
  };
  return (
    <>
      <PageHead title={texts.gaps.title} lead={texts.gaps.lead}>
        <label className="check">
          <input type="checkbox" checked={isAll} onChange={({ target }) => setAll(target.checked)} />
          {texts.gaps.all}
        </label>
      </PageHead>
      {setting.error && <Failure error={setting.error} />}
      <Listed
        query={query}
        of={isAll ? texts.gaps : { ...texts.gaps, none: texts.gaps.noneOpen }}
        items={shown}
        sortBy={sortBy}
        row={(gap) => <GapRow key={gap.id} gap={gap} set={(status) => set(gap, status)} />}
      />
    </>
  );
}

const sortBy = {
  type: ({ gap_type }: GapOfProviders) => texts.gaps.types[gap_type].title,
  provider: ({ all }: GapOfProviders) => all.map(({ name }) => name).join(),
  status: ({ status }: GapOfProviders) => status,
  opened: ({ opened_at }: GapOfProviders) => opened_at,
};

type GapRowProps = {
  readonly gap: GapOfProviders;
  readonly set: (status: 'open' | 'ignored') => void;
};

/** A gap with its providers, which an admin may set aside or open again. */
function GapRow({ gap: { gap_type, status, opened_at, details, all }, set }: GapRowProps) {
  const workspace = useWorkspace();
  const isOpen = status === 'open';
  return (
    <tr>
      <th scope="row">
        {texts.gaps.types[gap_type].title}
        <span className="row-note">{texts.gaps.types[gap_type].meaning}</span>
      </th>
      <td>
        <ul className="plain">
          {all.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      </td>
      <StateCell state={status} />
      <TimeCell at={opened_at} />
      <td>
        <Remedy type={gap_type} details={details} connector={all[0]?.provider.connector_id ?? null} />
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

/** The state of the deliveries that somebody has to look at, by the type of a gap. */
const statesOf: Partial<Record<Gap['gap_type'], readonly DeliveryState[]>> = {
  backlog: ['accepted'],
  // A delivery with some items that can be read is projected in part.
  quarantined_items: ['partially_projected', 'quarantined'],
  snapshot_shrank: ['held'],
};

type RemedyProps = {
  readonly type: Gap['gap_type'];
  readonly details: Gap['details'];
  readonly connector: string | null;
};

/** What ends a gap: a command, deliveries to look at, edges or names to fix; else when the provider last sent something. */
const Remedy = ({ type, details, connector }: RemedyProps) => {
  const scopeName = useScopeName();
  const { namespaces = [], scopes = [], unresolved = [], undeclared, unfinished, look_alikes, last_receipt } = details;
  const pairs = look_alikes?.pairs.flatMap((pair) => pair.command ?? []);
  const commands = [...new Set(pairs ?? (details.command === undefined ? [] : [details.command]))];
  const states = statesOf[type] ?? [];
  const isKnown =
    [commands, unresolved, states].some(({ length }) => length > 0) || Boolean(undeclared ?? unfinished ?? look_alikes);
  return (
    <>
      {undeclared && <UndeclaredEdges connector={connector} undeclared={undeclared} />}
      {look_alikes && <LookAlikes {...look_alikes} />}
      {unfinished && <UnfinishedRuns {...unfinished} />}
      {namespaces.length > 0 && (
        <ul className="plain">
          {namespaces.map(({ namespace, datasets }) => (
            <li key={namespace}>
              <span className="ref">{namespace}</span> <span className="dim">{texts.gaps.datasets(datasets)}</span>
            </li>
          ))}
        </ul>
      )}
      {scopes.length > 0 && (
        <ul className="plain">
          {scopes.map(({ scope_key }) => (
            <li key={scope_key} title={scope_key}>
              {scopeName(scope_key)}
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
      {commands.map((command) => (
        <Snippet key={command} label={texts.gaps.command} text={command} />
      ))}
      {states.map((state) => (
        <Link key={state} className="remedy" to="/deliveries" search={{ state }}>
          {states.length === 1 ? texts.gaps.open : texts.gaps.openIn(state)}
        </Link>
      ))}
      {!isKnown && (
        <>
          {texts.gaps.last}: <Time at={last_receipt} />
        </>
      )}
    </>
  );
};

type UndeclaredEdgesProps = {
  readonly connector: string | null;
  readonly undeclared: NonNullable<Gap['details']['undeclared']>;
};

/** How many edges, jobs or names a gap lists. */
const mostListed = 5;

/** The first edges that nobody declares; each leads to its evidence. */
const UndeclaredEdges = ({ connector, undeclared: { count, edges } }: UndeclaredEdgesProps) => (
  <ul className="plain">
    {edges.slice(0, mostListed).map(({ upstream, downstream }) => (
      <li key={`${upstream} ${downstream}`}>
        <Link
          to="/lineage"
          search={{ connector: connector ?? undefined, relation: downstream, edge_from: upstream, edge_to: downstream }}
          className="ref"
        >
          <Breakable name={`${upstream} → ${downstream}`} />
        </Link>
      </li>
    ))}
    {count > mostListed && <li className="dim">{texts.gaps.edges(count)}</li>}
  </ul>
);

/** The first jobs whose runs do not end, and what ends them. */
const UnfinishedRuns = ({ count, jobs, advice }: NonNullable<Gap['details']['unfinished']>) => (
  <ul className="plain">
    {jobs.slice(0, mostListed).map((job) => (
      <li key={job} className="ref">
        {job}
      </li>
    ))}
    {count > mostListed && <li className="dim">{texts.gaps.names(count)}</li>}
    <li className="dim">
      <Prose text={advice} />
    </li>
  </ul>
);

/** The first names that look like another one. What no command joins has advice. */
const LookAlikes = ({ count, pairs }: NonNullable<Gap['details']['look_alikes']>) => (
  <ul className="plain">
    {pairs.slice(0, mostListed).map(({ name, looks_like, command, advice }) => (
      <li key={`${name} ${looks_like}`}>
        <span className="ref">{name}</span> <span className="dim">{texts.gaps.looksLike}</span>{' '}
        <span className="ref">{looks_like}</span>
        {command === null && <span className="row-note">{advice}</span>}
      </li>
    ))}
    {count > mostListed && <li className="dim">{texts.gaps.names(count)}</li>}
  </ul>
);
