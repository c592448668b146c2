import { type HostAnswer, required } from './answers.ts';
import { appOf, installationOf, requirePermission, tokenOf } from './authentication.ts';
import type { HostInstallation, HostRepository, HostState } from './state.ts';

export type HostRequest = {
  readonly state: HostState;
  readonly origin: string;
  readonly authorization: string | undefined;
  readonly accept: string;
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
};

type Serve = (request: HostRequest) => HostAnswer | Promise<HostAnswer>;
/** By method and path, where `:` is one segment of it and `*` all that are left. */
export type HostRoutes = Readonly<Record<string, Serve>>;

export async function ownInstallation({ state, authorization, params }: HostRequest): Promise<HostInstallation> {
  const app = await appOf(state, authorization);
  return required(state.installations.find(({ id, appId }) => String(id) === params[0] && appId === app.id));
}

/** The repository, if the token is of an installation that has it and was granted the permission, or of a person who sees it. */
export function reached(
  { state, authorization, params }: HostRequest,
  permission: string,
  level: 'read' | 'write',
): HostRepository {
  const token = tokenOf(state, authorization);
  const [owner, name] = params;
  const repository = required(
    state.repositories.find(
      (one) =>
        one.owner === owner &&
        one.name === name &&
        (token.installationId === one.installationId || token.sees.includes(one.installationId)),
    ),
  );
  if (token.installationId !== null) requirePermission(installationOf(state, authorization), permission, level);
  return repository;
}
