import * as v from 'valibot';
import { anyId, count, pageCursor, pageLimit, queryInteger, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';

const bounds = limits.collectionProject;
const name = text(bounds.name);
const environment = text(bounds.environment);
const origin = text(bounds.origin);

export const CreateCollectionProject = v.strictObject({
  workspace_id: anyId,
  name,
  environments: v.pipe(v.array(environment), v.minLength(1), v.maxLength(bounds.names)),
  origins: v.optional(v.pipe(v.array(origin), v.maxLength(bounds.names)), []),
});

export const CreateProjectKey = v.strictObject({ workspace_id: anyId, name, environment });
export const AddOrigin = v.strictObject({ workspace_id: anyId, origin });

const ends = { created_at: timestamp, revoked_at: v.nullable(timestamp) };
const keyFields = { id: v.string(), name: v.string(), ...ends };
const ProjectKeyItem = v.object({
  ...keyFields,
  environment: v.string(),
  /** In events; null where the deployment's rate holds. */
  rate: v.nullable(v.object({ per_second: count, burst: count })),
});

const projectFields = {
  id: v.string(),
  workspace_id: v.string(),
  name: v.string(),
  environments: v.array(v.string()),
  origins: v.array(v.string()),
  ...ends,
};

export const CollectionProjectItem = v.object(projectFields);

export const CollectionProjectPage = v.object({
  workspace_id: v.string(),
  items: v.array(
    v.object({
      ...projectFields,
      project_keys: v.array(ProjectKeyItem),
      server_keys: v.array(v.object(keyFields)),
    }),
  ),
  next_cursor: v.nullable(v.string()),
});
export type CollectionProjectPage = v.InferOutput<typeof CollectionProjectPage>;

/** The only answer that holds the key itself. */
export const CreatedProjectKey = v.object({ ...ProjectKeyItem.entries, key: v.string() });

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
      rejected: v.record(v.string(), count),
    }),
  ),
});

export const CollectionProjectsQuery = v.object({
  workspace_id: anyId,
  limit: pageLimit,
  cursor: pageCursor,
});
export const CollectionProjectParams = v.object({ collection_project_id: anyId });
export const ProjectKeyParams = v.object({ collection_project_id: anyId, project_key_id: anyId });
export const OriginQuery = v.object({ workspace_id: anyId, origin });
export const CountsQuery = v.object({
  workspace_id: anyId,
  days: v.optional(queryInteger(bounds.days), String(bounds.days.default)),
});
