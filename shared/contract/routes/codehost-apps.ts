import { WorkspaceQuery } from '../access.ts';
import {
  AppConfig,
  AppConfigList,
  AppConfigParams,
  AppConfigQuery,
  AppConfigValidation,
  PutAppConfig,
  ValidateAppConfig,
} from '../codehost-apps.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

const path = '/v1/codehost/app-configs';
const inQuery = { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' } as const;
const inBody = { ...inQuery, workspace: 'body' } as const;
const removal = {
  method: 'DELETE',
  function: 'codehost',
  access: inQuery,
  replies: { 204: { description: 'It and its secrets are gone.' } },
  problems: ['not_found', 'conflict'],
} as const satisfies Partial<Route>;

/** Apps of the code host: C-CODEHOST-1 to C-CODEHOST-4. */
export const codehostAppRoutes = {
  listAppConfigs: {
    method: 'GET',
    path,
    function: 'codehost',
    summary: 'Lists the apps by which the workspace reaches its code host.',
    access: inQuery,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The apps, without their secrets.', schema: AppConfigList } },
    problems: [],
  },
  putAppConfig: {
    method: 'PUT',
    path,
    function: 'codehost',
    summary: 'Configures an app of the workspace’s own; the one of `config_id`, or of the same app, is replaced.',
    access: inBody,
    body: { kind: 'json', schema: PutAppConfig, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The app, without its secrets.', schema: AppConfig } },
    problems: ['not_found', 'conflict'],
  },
  deleteAppConfig: {
    ...removal,
    path: `${path}/{config_id}`,
    summary: 'Forgets an app, its secrets and its installations.',
    params: AppConfigParams,
    query: WorkspaceQuery,
  },
  deleteNamedAppConfig: {
    ...removal,
    path,
    summary: 'Forgets the app that the query names.',
    query: AppConfigQuery,
  },
  validateAppConfig: {
    method: 'POST',
    path: `${path}/validate`,
    function: 'codehost',
    summary: 'Asks the code host, as the app, who the app is.',
    access: inBody,
    body: { kind: 'json', schema: ValidateAppConfig, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'Whether the host knows the app by its key.', schema: AppConfigValidation } },
    problems: ['not_found'],
  },
} as const satisfies Record<string, Route>;
