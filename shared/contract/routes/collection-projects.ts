import { WorkspaceQuery } from '../access.ts';
import {
  AddOrigin,
  CollectionCounts,
  CollectionProjectItem,
  CollectionProjectPage,
  CollectionProjectParams,
  CollectionProjectsQuery,
  CountsQuery,
  CreateCollectionProject,
  CreatedProjectKey,
  CreateProjectKey,
  OriginQuery,
  ProjectKeyParams,
} from '../collection-projects.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

const asking = { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' } as const;
const changing = { ...asking, workspace: 'body' } as const;
const path = '/v1/collection-projects';
const project = `${path}/{collection_project_id}`;
const { bodyBytes: maxBytes } = limits.json;

/** What sends events, and what became of them: C-ADMIN-7 to C-ADMIN-9, C-COUNT-1. */
export const collectionProjectRoutes = {
  listCollectionProjects: {
    method: 'GET',
    path,
    function: 'access',
    summary: 'Lists the collection projects of a workspace with their keys and origins.',
    access: asking,
    query: CollectionProjectsQuery,
    replies: {
      200: { description: 'A page of projects, without the keys themselves.', schema: CollectionProjectPage },
    },
    problems: [],
  },
  createCollectionProject: {
    method: 'POST',
    path,
    function: 'access',
    summary: 'Makes a collection project, or answers the one of that name.',
    access: changing,
    body: { kind: 'json', schema: CreateCollectionProject, maxBytes },
    replies: { 201: { description: 'The project.', schema: CollectionProjectItem } },
    problems: ['not_found', 'conflict'],
  },
  addCollectionOrigin: {
    method: 'POST',
    path: `${project}/origins`,
    function: 'access',
    summary: 'Lets browsers send from an exact origin.',
    access: changing,
    params: CollectionProjectParams,
    body: { kind: 'json', schema: AddOrigin, maxBytes },
    replies: { 201: { description: 'The project.', schema: CollectionProjectItem } },
    problems: ['not_found', 'conflict'],
  },
  removeCollectionOrigin: {
    method: 'DELETE',
    path: `${project}/origins`,
    function: 'access',
    summary: "Ends an origin's permission, within a minute.",
    access: asking,
    params: CollectionProjectParams,
    query: OriginQuery,
    replies: { 204: { description: 'Removed.' } },
    problems: ['not_found', 'conflict'],
  },
  createProjectKey: {
    method: 'POST',
    path: `${project}/keys`,
    function: 'access',
    summary: 'Makes a public project key; only this answer shows it.',
    access: changing,
    params: CollectionProjectParams,
    body: { kind: 'json', schema: CreateProjectKey, maxBytes },
    replies: { 201: { description: 'Created.', schema: CreatedProjectKey } },
    problems: ['not_found', 'conflict'],
  },
  revokeProjectKey: {
    method: 'DELETE',
    path: `${project}/keys/{project_key_id}`,
    function: 'access',
    summary: 'Revokes a public project key, within a minute.',
    access: asking,
    params: ProjectKeyParams,
    query: WorkspaceQuery,
    replies: { 204: { description: 'Revoked.' } },
    problems: ['not_found', 'conflict'],
  },
  countCollectedEvents: {
    method: 'GET',
    path: `${project}/counts`,
    function: 'access',
    summary: 'Counts the events of a project by day: accepted, repeated, and rejected by code.',
    access: asking,
    params: CollectionProjectParams,
    query: CountsQuery,
    replies: { 200: { description: 'The last days, newest first.', schema: CollectionCounts } },
    problems: ['not_found'],
  },
} as const satisfies Record<string, Route>;
