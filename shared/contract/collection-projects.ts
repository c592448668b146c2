import * as v from 'valibot';
import { anyId, count, pageOf, queryInteger, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { adminAccess, type FunctionRoutes, PageQuery, servedBy, WorkspaceQuery } from './route.ts';
import { ShownTrackingPlan, TrackingPlan, TrackingPlanMode } from './tracking-plan.ts';

const bounds = limits.collectionProject;
const name = text(bounds.name);
const environment = text(bounds.environment);
const origin = text(bounds.origin);

const CreateCollectionProject = v.strictObject({
  workspace_id: anyId,
  name,
  environments: v.pipe(v.array(environment), v.minLength(1), v.maxLength(bounds.names)),
  origins: v.optional(v.pipe(v.array(origin), v.maxLength(bounds.names)), []),
});

const CreateProjectKey = v.strictObject({ workspace_id: anyId, name, environment });
const AddOrigin = v.strictObject({ workspace_id: anyId, origin });

const Lineage = v.strictObject({
  connector_id: anyId,
  /** The lake's tables, as SQL names them. */
  relations: v.pipe(
    v.array(text(limits.collectionLineage.relation)),
    v.minLength(1),
    v.maxLength(limits.collectionLineage.relations),
  ),
});

const UpdateCollectionProject = v.strictObject({
  workspace_id: anyId,
  lineage: v.optional(v.nullable(Lineage)),
  tracking_plan: v.optional(v.nullable(TrackingPlan)),
});

const ends = { created_at: timestamp, revoked_at: v.nullable(timestamp) };
const keyFields = { id: v.string(), name: v.string(), ...ends };
const ProjectKeyItem = v.object({
  ...keyFields,
  environment: v.string(),
  /** In events; null if the deployment's rate holds. */
  rate: v.nullable(v.object({ per_second: count, burst: count })),
});

const projectFields = {
  id: v.string(),
  workspace_id: v.string(),
  name: v.string(),
  environments: v.array(v.string()),
  origins: v.array(v.string()),
  lineage: v.nullable(Lineage),
  /** The mode of the plan; null if the project has none. */
  tracking_plan: v.nullable(TrackingPlanMode),
  ...ends,
};

export const CollectionProjectItem = v.object(projectFields);

export const CollectionProjectPage = pageOf(
  v.object({
    ...projectFields,
    project_keys: v.array(ProjectKeyItem),
    server_keys: v.array(v.object(keyFields)),
  }),
);
export type CollectionProjectPage = v.InferOutput<typeof CollectionProjectPage>;

/** The only answer that holds the key itself. */
const CreatedProjectKey = v.object({ ...ProjectKeyItem.entries, key: v.string() });

/** C-COUNT-1. */
export const CollectionCounts = v.object({
  workspace_id: v.string(),
  collection_project_id: v.string(),
  items: v.array(
    v.object({
      /** Of the receipt, in UTC: `YYYY-MM-DD`. */
      date: v.string(),
      accepted: count,
      repeated: count,
      /** Of suppressed persons (C-ERASE-5): accepted and not stored. */
      suppressed: count,
      rejected: v.record(v.string(), count),
      /** Broken rules by the place in an event and the rule: `/timestamp must be an RFC 3339 date-time with a zone`. */
      violations: v.record(v.string(), count),
    }),
  ),
  /** Who broke which rule on these days, the latest first (C-COUNT-3). */
  senders: v.array(
    v.object({
      rule: v.string(),
      /** What sends, such as `posthog-js`; `other` if it has an unusual name, null if it says nothing. */
      library: v.nullable(v.string()),
      version: v.nullable(v.string()),
      origin: v.nullable(v.string()),
      events: count,
      last_at: timestamp,
    }),
  ),
  /** The senders that there was no room for, together. */
  other_senders: v.nullable(v.object({ events: count, last_at: timestamp })),
});
export type CollectionCounts = v.InferOutput<typeof CollectionCounts>;

/** C-COLLINEAGE-3. */
export const CollectionShapes = v.object({
  workspace_id: v.string(),
  collection_project_id: v.string(),
  /** The day of the last write; null if nothing was stored. */
  written_on: v.nullable(v.string()),
  /** The last day on which an event or a field had no room, and is missing below; null if nothing is. */
  left_out_on: v.nullable(v.string()),
  /** What changed, newest first: new events and fields, types that a field did not have, and what is gone. */
  changes: v.array(
    v.object({
      on: v.string(),
      kind: v.picklist(['new_event', 'new_field', 'new_type', 'gone']),
      event: v.string(),
      path: v.string(),
      types: v.array(v.string()),
      /** In how many stored events the change was seen first. */
      events: count,
    }),
  ),
  /** What the events should have. */
  tracking_plan: v.nullable(ShownTrackingPlan),
  items: v.array(
    v.object({
      event: v.string(),
      /** How many weeks with events ago it was last noted: 0 is the current one. */
      weeks_ago: count,
      fields: v.array(v.object({ path: v.string(), types: v.array(v.string()) })),
    }),
  ),
});
export type CollectionShapes = v.InferOutput<typeof CollectionShapes>;

const OriginQuery = v.object({ workspace_id: anyId, origin });
const CountsQuery = v.object({
  workspace_id: anyId,
  days: v.optional(queryInteger(bounds.days), String(bounds.days.default)),
});

const changing = { ...adminAccess, workspace: 'body' } as const;
const path = '/v1/collection-projects';
const project = `${path}/{collection_project_id}`;
const { bodyBytes: maxBytes } = limits.json;

/** What sends events, and what became of them: C-ADMIN-7 to C-ADMIN-9, C-COUNT-1. */
export const collectionProjectRoutes = servedBy('access', {
  listCollectionProjects: {
    method: 'GET',
    path,
    summary: 'Lists the collection projects of a workspace with their keys and origins.',
    access: adminAccess,
    query: PageQuery,
    replies: {
      200: { description: 'A page of projects, without the keys themselves.', schema: CollectionProjectPage },
    },
  },
  createCollectionProject: {
    method: 'POST',
    path,
    summary: 'Creates a collection project, or returns the existing one of that name.',
    access: changing,
    body: { kind: 'json', schema: CreateCollectionProject, maxBytes },
    replies: { 201: { description: 'The project.', schema: CollectionProjectItem } },
    problems: ['not_found', 'conflict'],
  },
  updateCollectionProject: {
    method: 'PATCH',
    path: project,
    summary: 'Changes a project: its tracking plan, and the connector whose lineage its stored events are.',
    access: changing,
    body: { kind: 'json', schema: UpdateCollectionProject, maxBytes },
    replies: { 200: { description: 'The project.', schema: CollectionProjectItem } },
    problems: ['conflict'],
  },
  addCollectionOrigin: {
    method: 'POST',
    path: `${project}/origins`,
    summary: 'Allows browsers to send events from an exact origin.',
    access: changing,
    body: { kind: 'json', schema: AddOrigin, maxBytes },
    replies: { 201: { description: 'The project.', schema: CollectionProjectItem } },
    problems: ['conflict'],
  },
  removeCollectionOrigin: {
    method: 'DELETE',
    path: `${project}/origins`,
    summary: 'Removes an allowed origin within a minute.',
    access: adminAccess,
    query: OriginQuery,
    replies: { 204: { description: 'Removed.' } },
    problems: ['conflict'],
  },
  createProjectKey: {
    method: 'POST',
    path: `${project}/keys`,
    summary: 'Creates a public project key. Only this response contains it.',
    access: { ...changing, session: true },
    body: { kind: 'json', schema: CreateProjectKey, maxBytes },
    replies: { 201: { description: 'Created.', schema: CreatedProjectKey } },
    problems: ['conflict'],
  },
  revokeProjectKey: {
    method: 'DELETE',
    path: `${project}/keys/{project_key_id}`,
    summary: 'Revokes a public project key within a minute.',
    access: adminAccess,
    query: WorkspaceQuery,
    replies: { 204: { description: 'Revoked.' } },
    problems: ['conflict'],
  },
  describeCollectedEvents: {
    method: 'GET',
    path: `${project}/shapes`,
    summary: 'Returns the names of collected events with the paths and types of their fields, never a value.',
    access: adminAccess,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The events, by name.', schema: CollectionShapes } },
  },
  countCollectedEvents: {
    method: 'GET',
    path: `${project}/counts`,
    summary: 'Counts the events of a project by day: accepted, repeated, and rejected by code.',
    access: adminAccess,
    query: CountsQuery,
    replies: { 200: { description: 'The last days, newest first.', schema: CollectionCounts } },
  },
} as const satisfies FunctionRoutes);

/** A dbt or SQLMesh project that is to send complete snapshots to a workspace. */
const LinkProject = v.strictObject({ workspace_id: anyId, project_id: text(limits.declared.projectId) });

const LinkedProject = v.object({ workspace_id: v.string(), project_id: v.string(), created_at: timestamp });

/** The projects that may send complete snapshots to a workspace: C-ADMIN-6. */
export const linkedProjectRoutes = servedBy('access', {
  linkProject: {
    method: 'POST',
    path: '/v1/linked-projects',
    summary:
      'Links a dbt or SQLMesh project to a workspace by its stable id, so that snapshots of it are accepted. Idempotent.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body' },
    body: { kind: 'json', schema: LinkProject, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'Linked.', schema: LinkedProject } },
    problems: ['conflict'],
  },
} as const satisfies FunctionRoutes);
