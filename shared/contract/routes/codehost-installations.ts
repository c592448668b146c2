import { WorkspaceQuery } from '../access.ts';
import {
  AddInstallation,
  Installation,
  InstallationCallback,
  InstallationList,
  InstallationParams,
  InstallationQuery,
  StartedInstallation,
  StartInstallation,
} from '../codehost-installations.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

const path = '/v1/codehost/installations';
const inQuery = { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' } as const;
const posting = {
  method: 'POST',
  function: 'codehost',
  access: { ...inQuery, workspace: 'body' },
} as const satisfies Partial<Route>;
const removal = {
  method: 'DELETE',
  function: 'codehost',
  access: inQuery,
  replies: { 204: { description: 'The workspace has it no longer; the host still does.' } },
  problems: ['not_found', 'conflict'],
} as const satisfies Partial<Route>;

/** Where apps of the code host are installed: C-CODEHOST-5 to C-CODEHOST-7. */
export const codehostInstallationRoutes = {
  listInstallations: {
    method: 'GET',
    path,
    function: 'codehost',
    summary: 'Lists the accounts on which the workspace’s apps are installed.',
    access: inQuery,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The installations.', schema: InstallationList } },
    problems: [],
  },
  addInstallation: {
    ...posting,
    path,
    summary: 'Takes an installation of the workspace’s own app.',
    body: { kind: 'json', schema: AddInstallation, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'The installation, also where it was there.', schema: Installation } },
    problems: ['not_found', 'conflict'],
  },
  startInstallation: {
    ...posting,
    path: `${path}/start`,
    summary: 'Answers where an app is installed; the state comes back with the callback.',
    body: { kind: 'json', schema: StartInstallation, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'Where to send the person.', schema: StartedInstallation } },
    problems: ['not_found'],
  },
  finishInstallation: {
    ...posting,
    path: `${path}/callback`,
    summary: 'Takes what the host sent the person back with.',
    body: { kind: 'json', schema: InstallationCallback, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The installation.', schema: Installation } },
    problems: ['not_found', 'conflict', 'invalid_grant'],
  },
  deleteInstallation: {
    ...removal,
    path: `${path}/{installation_id}`,
    summary: 'Forgets an installation.',
    params: InstallationParams,
    query: WorkspaceQuery,
  },
  deleteNamedInstallation: {
    ...removal,
    path,
    summary: 'Forgets the installation that the query names.',
    query: InstallationQuery,
  },
} as const satisfies Record<string, Route>;
