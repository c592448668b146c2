import * as v from 'valibot';
import { anyId, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';

/** A dbt or SQLMesh project that is to send complete snapshots to a workspace. */
export const LinkProject = v.strictObject({ workspace_id: anyId, project_id: text(limits.declared.projectId) });

export const LinkedProject = v.object({ workspace_id: v.string(), project_id: v.string(), created_at: timestamp });
