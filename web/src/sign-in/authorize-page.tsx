import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { displayedCode, isRedirectOf, registeredClient } from '../../../shared/contract/oauth-clients.ts';
import { api, contentOf } from '../api/client.ts';
import { worldQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Choice } from '../parts/fields.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { apiAddress } from '../settings.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

/** What an agent asks for, as its request has it; `workspace` is an id or a name. */
type AuthorizeParams = Readonly<Record<string, string | undefined>>;

/** A person allows an agent a token, or does not: nothing is granted before the button is pressed. */
export function AuthorizePage() {
  const params = useSearch({ strict: false }) as AuthorizeParams;
  const [isDenied, setDenied] = useState(false);
  const granting = useMutation({
    mutationFn: (workspace_id: string) =>
      contentOf(api.POST('/v1/agent/authorize', { body: bodyOf(params, workspace_id) })),
    onSuccess: ({ code }) => goBack(params, { code }),
  });
  const [askedIn, askIn] = useState<string | null>(null);
  const asked = useRequest(params, askedIn);
  const code = granting.data?.code ?? asked.data?.granted?.code;
  const deny = () => {
    setDenied(true);
    goBack(params, { error: 'access_denied' });
  };
  if (isDenied) return <p className="empty">{texts.authorize.denied}</p>;
  if (asked.data?.state === 'denied') return <p className="empty">{texts.authorize.refused}</p>;
  if (code !== undefined) return <Granted code={code} isShown={params['redirect_uri'] === displayedCode} />;
  if (asked.data) return <PageHead title={texts.authorize.waiting} lead={texts.authorize.waitingLead} />;
  return (
    <div className="stack">
      <PageHead
        title={texts.authorize.title(clientOf(params), params['device_name'] ?? hostOf(params))}
        lead={texts.authorize.lead}
      />
      <Decision request={params} isGranting={granting.isPending} grant={granting.mutate} ask={askIn} deny={deny} />
      {granting.error && <Failure error={granting.error} />}
      {asked.error && <Failure error={asked.error} />}
    </div>
  );
}

const pollMs = 5_000;

/** Repeats a member's request until an administrator has decided, and takes the code back to the client. */
function useRequest(params: AuthorizeParams, workspaceId: string | null) {
  const asked = useQuery({
    queryKey: ['agent request', workspaceId],
    enabled: workspaceId !== null,
    queryFn: () => contentOf(api.POST('/v1/agent/authorize/requests', { body: bodyOf(params, workspaceId ?? '') })),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? pollMs : false),
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const code = asked.data?.granted?.code;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each code
  useEffect(() => {
    if (code !== undefined) goBack(params, { code });
  }, [code]);
  return asked;
}

type DecisionProps = {
  readonly request: AuthorizeParams;
  readonly isGranting: boolean;
  readonly grant: (workspaceId: string) => void;
  readonly ask: (workspaceId: string) => void;
  readonly deny: () => void;
};

/** The scopes and the workspace of the agent's token: the requested workspace, or else the user's own. */
function Decision({ request, isGranting, grant, ask, deny }: DecisionProps) {
  const { data: workspaces = [] } = useQuery(worldQuery);
  const current = useWorkspace();
  const named = workspaces.find(({ id, name }) => id === request['workspace'] || name === request['workspace']);
  const [chosen, setChosen] = useState<string | null>(null);
  const workspaceId = chosen ?? named?.id ?? current?.id ?? '';
  const isAdmin = may(workspaces.find(({ id }) => id === workspaceId) ?? null, 'admin');
  return (
    <section className="card fields">
      <Choice
        label={texts.workspace}
        value={workspaceId}
        options={Object.fromEntries(workspaces.map(({ id, name }) => [id, name]))}
        choose={setChosen}
      />
      <p>{texts.authorize.scopes(request['scope'] || 'read')}</p>
      {request['redirect_uri'] !== displayedCode && <p>{texts.authorize.receiver(hostOf(request))}</p>}
      <p className="field-row">
        <button
          type="button"
          className="primary"
          disabled={isGranting}
          onClick={() => (isAdmin ? grant : ask)(workspaceId)}
        >
          {isAdmin ? texts.authorize.allow : texts.authorize.ask}
        </button>
        <button type="button" onClick={deny}>
          {texts.authorize.deny}
        </button>
      </p>
    </section>
  );
}

/** The code, for a machine that this browser is not on; else the browser is on its way back to the agent. */
function Granted({ code, isShown }: { readonly code: string; readonly isShown: boolean }) {
  return (
    <div className="stack">
      <PageHead title={texts.authorize.granted} lead={isShown ? texts.authorize.type : texts.authorize.back} />
      {isShown && <Snippet label={texts.authorize.code} text={code} />}
    </div>
  );
}

/** A client's registered name wins: the address may come from anybody, and say anything. */
const clientOf = ({ client_id, client_name = 'cli' }: AuthorizeParams): string =>
  registeredClient(client_id)?.client_name ?? client_name;

const hostOf = ({ redirect_uri = '' }: AuthorizeParams): string => URL.parse(redirect_uri)?.host ?? '';

const requested = ['client_id', 'client_version', 'platform', 'resource', 'scope'] as const;

const bodyOf = (params: AuthorizeParams, workspace_id: string) => ({
  ...Object.fromEntries(requested.map((name) => [name, params[name]])),
  workspace_id,
  code_challenge: params['code_challenge'] ?? '',
  code_challenge_method: (params['code_challenge_method'] ?? 'S256') as 'S256',
  redirect_uri: params['redirect_uri'] ?? '',
  client_name: clientOf(params),
  device_id: params['device_id'] ?? `browser:${hostOf(params)}`,
  device_name: params['device_name'] ?? hostOf(params),
});

/** To an agent of this machine or an address of the client, and to no other place: anybody may have made the link. */
function goBack(params: AuthorizeParams, answer: Readonly<Record<string, string>>): void {
  const { redirect_uri = '', client_id, state } = params;
  if (!isRedirectOf(client_id, redirect_uri)) return;
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...answer, iss: apiAddress, ...(state !== undefined && { state }) }))
    url.searchParams.set(name, value);
  location.assign(url);
}
