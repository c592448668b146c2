import './collection.css';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import {
  type CollectionProject,
  collectionProjectsQuery,
  type EventCounts,
  type EventShape,
  type EventShapes,
  eventCountsQuery,
  eventShapesQuery,
} from '../api/run-queries.ts';
import { type Day, DayBars, lastDays } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { TextField } from '../parts/fields.tsx';
import { Listed, TableHead } from '../parts/listed.tsx';
import { NewEntry } from '../parts/modal.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { splitList } from '../parts/split-list.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { useChange } from '../parts/use-change.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { CollectionKeys } from './collection-keys.tsx';
import { CollectionSenders } from './collection-senders.tsx';

export function CollectionPage() {
  const workspace = useWorkspace();
  const workspaceId = workspace?.id ?? '';
  const { data, error, isPending } = useQuery(collectionProjectsQuery(workspaceId));
  return (
    <div className="stack">
      <PageHead title={texts.collection.title} lead={texts.collection.lead}>
        {data && (
          <NewEntry
            title={texts.collection.new}
            form={(close) => <NewCollectionProject workspaceId={workspaceId} close={close} />}
          />
        )}
      </PageHead>
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} />}
      {data?.items.length === 0 && <p className="empty">{texts.collection.none}</p>}
      {data?.items.map((project) => (
        <CollectionProjectCard key={project.id} project={project} />
      ))}
      {data && (
        <section className="card">
          <p>{texts.collection.serverKeys}</p>
          <Snippet
            label={texts.collection.serverKey}
            text={`tributary admin server-keys create ${workspace?.name} PROJECT NAME`}
          />
          <p className="dim">{texts.collection.stored}</p>
        </section>
      )}
    </div>
  );
}

function CollectionProjectCard({ project }: { readonly project: CollectionProject }) {
  const isActive = project.revoked_at === null;
  return (
    <section className="card collection-project" aria-label={project.name}>
      <header className="field-row">
        <h2>{project.name}</h2>
        {!isActive && <StateBadge state={texts.revoked} />}
        <span className="dim">
          {texts.collection.environments}: {project.environments.join(', ')}
        </span>
      </header>
      <div className="two">
        <CollectionCounts project={project} />
        <CollectionOrigins project={project} />
      </div>
      <CollectedEvents project={project} />
      <CollectionKeys project={project} />
    </section>
  );
}

type NewCollectionProjectProps = { readonly workspaceId: string; readonly close: () => void };

function NewCollectionProject({ workspaceId, close }: NewCollectionProjectProps) {
  const creating = useChange(['collection', workspaceId]);
  const create = (form: FormData) =>
    api.POST('/v1/collection-projects', {
      body: {
        workspace_id: workspaceId,
        name: String(form.get('name')),
        environments: splitList(form.get('environments'), ','),
        origins: splitList(form.get('origins'), ','),
      },
    });
  return (
    <form className="fields" onSubmit={creating.submit(create, close)}>
      <div className="field-row">
        <TextField label={texts.collection.name} name="name" required maxLength={100} />
        <TextField label={texts.collection.environmentsHow} name="environments" required defaultValue="production" />
      </div>
      <TextField label={texts.collection.originsHow} name="origins" placeholder="https://shop.example" />
      <button type="submit" className="primary" disabled={creating.isPending}>
        {texts.collection.create}
      </button>
      {creating.error && <Failure error={creating.error} />}
    </form>
  );
}

const route = '/v1/collection-projects/{collection_project_id}/origins';

function CollectionOrigins({ project }: { readonly project: CollectionProject }) {
  const { workspace_id } = project;
  const path = { collection_project_id: project.id };
  const changing = useChange(['collection', workspace_id]);
  const remove = (origin: string) =>
    changing.change(() => api.DELETE(route, { params: { path, query: { workspace_id, origin } } }));
  const allow = (form: FormData) =>
    api.POST(route, { params: { path }, body: { workspace_id, origin: String(form.get('origin')) } });
  return (
    <section>
      <h3>{texts.collection.origins}</h3>
      {project.origins.length === 0 && <p className="dim">{texts.collection.originsNone}</p>}
      <ul className="plain origins">
        {project.origins.map((origin) => (
          <li key={origin}>
            <code>{origin}</code>
            <button
              type="button"
              className="quiet"
              aria-label={`${texts.collection.removeOrigin} ${origin}`}
              onClick={() => remove(origin)}
            >
              {texts.collection.removeOrigin}
            </button>
          </li>
        ))}
      </ul>
      {project.revoked_at === null && (
        <form className="field-row" onSubmit={changing.submit(allow)}>
          <TextField
            className="field"
            label={texts.collection.origin}
            name="origin"
            type="url"
            required
            placeholder="https://shop.example"
          />
          <button type="submit">{texts.collection.addOrigin}</button>
        </form>
      )}
      {changing.error && <Failure error={changing.error} />}
    </section>
  );
}

const shownDays = 14;

function CollectionCounts({ project }: { readonly project: CollectionProject }) {
  const { data, error, isPending } = useQuery(eventCountsQuery(project.workspace_id, project.id, shownDays));
  return (
    <section aria-label={texts.collection.counts(project.name)}>
      <h3>{texts.collection.countsTitle(shownDays)}</h3>
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} />}
      {data?.items.length === 0 && <p className="dim">{texts.collection.countsNone}</p>}
      {data && data.items.length > 0 && <Shown items={data.items} name={project.name} />}
      {data && data.senders.length > 0 && <CollectionSenders counts={data} name={project.name} />}
    </section>
  );
}

type Counted = EventCounts['items'][number];
type ShownProps = { readonly items: readonly Counted[]; readonly name: string };

function Shown({ items, name }: ShownProps) {
  const byDate = new Map(items.map((item) => [item.date, item]));
  const days: Day[] = lastDays(shownDays).map((date) => ({ date, parts: partsOf(byDate.get(date)) }));
  const totals = new Map<string, number>();
  const broken = items.flatMap(({ violations }) => Object.entries(violations));
  const rules = broken.map(([rule, count]) => ({ label: texts.collection.broken(rule), count }));
  for (const { label, count } of [...days.flatMap(({ parts }) => parts), ...rules])
    totals.set(label, (totals.get(label) ?? 0) + count);
  return (
    <>
      <DayBars days={days} label={texts.collection.counts(name)} />
      <table aria-label={texts.collection.counts(name)}>
        <TableHead headings={Object.values(texts.collection.countsHead)} />
        <tbody>
          {[...totals].map(([label, count]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{count.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="dim">{texts.collection.countsHow}</p>
    </>
  );
}

const partsOf = (counted: Counted | undefined): Day['parts'] =>
  counted === undefined
    ? []
    : [
        { tone: 'good', label: texts.collection.accepted, count: counted.accepted },
        { tone: 'warn', label: texts.collection.repeated, count: counted.repeated },
        ...(counted.suppressed > 0
          ? [{ tone: 'warn' as const, label: texts.collection.suppressed, count: counted.suppressed }]
          : []),
        ...Object.entries(counted.rejected).map(([code, count]) => ({
          tone: 'bad' as const,
          label: texts.collection.rejected(code),
          count,
        })),
      ];

/** The events of a project: names, paths and types of their fields, never a value. */
function CollectedEvents({ project }: { readonly project: CollectionProject }) {
  const query = useQuery(eventShapesQuery(project.workspace_id, project.id));
  const { shapes, shapesHead: headings, shapesNone: none, isLineage, noLineage, leftOut, change } = texts.collection;
  const changesTitle = texts.collection.changes;
  const title = `${shapes}, ${project.name}`;
  return (
    <section>
      <h3>{shapes}</h3>
      {query.data && <Plan project={project} plan={query.data.tracking_plan} />}
      {query.data?.left_out_on && <p>{leftOut(query.data.left_out_on)}</p>}
      {query.data && query.data.changes.length > 0 && (
        <details>
          <summary>{changesTitle(query.data.changes.length)}</summary>
          <ul>
            {query.data.changes.map((one) => (
              <li key={`${one.on} ${one.kind} ${one.event} ${one.path}`}>{change(one)}</li>
            ))}
          </ul>
        </details>
      )}
      <p className="dim">{project.lineage ? isLineage(project.lineage.relations.join(', ')) : noLineage}</p>
      <Listed
        query={query}
        of={{ title, headings, none }}
        needs="admin"
        items={query.data?.items ?? []}
        sortBy={{ event: ({ event }) => event, fields: ({ fields }) => fields.length, noted: (one) => one.weeks_ago }}
        row={(shape) => <ShapeRow key={shape.event} shape={shape} />}
      />
    </section>
  );
}

type PlanProps = { readonly project: CollectionProject; readonly plan: EventShapes['tracking_plan'] };

function Plan({ project, plan }: PlanProps) {
  const { plan: title, planModes, planOnly, planNone, planSet, planFile, planned } = texts.collection;
  if (plan === null)
    return (
      <>
        <p className="dim">{planNone}</p>
        <Snippet label={planSet} text={planFile(project.name)} />
      </>
    );
  return (
    <details>
      <summary>
        {title}: {planned(Object.keys(plan.events).length)}. {planModes[plan.mode]}{' '}
        {plan.mode !== 'off' && !plan.additional_events && planOnly}
      </summary>
      <Snippet label={title} text={JSON.stringify(plan.events, null, 2)} />
    </details>
  );
}

const ShapeRow = ({ shape: { event, fields, weeks_ago } }: { readonly shape: EventShape }) => (
  <tr>
    <th scope="row">{event}</th>
    <td>
      <details>
        <summary aria-label={`${event}: ${texts.collection.fields(fields.length)}`}>
          {texts.collection.fields(fields.length)}
        </summary>
        <ul className="plain">
          {fields.map(({ path, types }) => (
            <li key={path}>
              <code>{path}</code> <span className="dim">{types.join(' | ') || texts.collection.onlyNull}</span>
            </li>
          ))}
        </ul>
      </details>
    </td>
    <td>{texts.collection.noted(weeks_ago)}</td>
  </tr>
);
