import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { displayedCode, isLoopbackRedirect } from '../../../shared/contract/agent-authorization.ts';
import { api, contentOf } from '../api/client.ts';
import { worldQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { useWorkspace } from '../shell/world.ts';
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
  const deny = () => {
    setDenied(true);
    goBack(params, { error: 'access_denied' });
  };
  if (isDenied) return <p className="empty">{texts.authorize.denied}</p>;
  if (granting.data) return <Granted code={granting.data.code} isShown={params['redirect_uri'] === displayedCode} />;
  return (
    <div className="stack">
      <PageHead
        title={texts.authorize.title(params['client_name'] ?? 'cli', params['device_name'] ?? '')}
        lead={texts.authorize.lead}
      />
      <Decision request={params} isGranting={granting.isPending} grant={granting.mutate} deny={deny} />
      {granting.error && <Failure error={granting.error} />}
    </div>
  );
}

type DecisionProps = {
  readonly request: AuthorizeParams;
  readonly isGranting: boolean;
  readonly grant: (workspaceId: string) => void;
  readonly deny: () => void;
};

/** The scopes and the workspace of the agent's token: the requested workspace, or else the user's own. */
function Decision({ request, isGranting, grant, deny }: DecisionProps) {
  const { data: workspaces = [] } = useQuery(worldQuery);
  const current = useWorkspace();
  const named = workspaces.find(({ id, name }) => id === request['workspace'] || name === request['workspace']);
  const [chosen, setChosen] = useState<string | null>(null);
  const workspaceId = chosen ?? named?.id ?? current?.id ?? '';
  return (
    <section className="card fields">
      <label>
        {texts.workspace}
        <select value={workspaceId} onChange={({ target }) => setChosen(target.value)}>
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p>{texts.authorize.scopes(request['scope'] || 'read')}</p>
      <p className="field-row">
        <button type="button" className="primary" disabled={isGranting} onClick={() => grant(workspaceId)}>
          {texts.authorize.allow}
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

const bodyOf = ({ workspace: _, state: __, ...request }: AuthorizeParams, workspace_id: string) => ({
  ...request,
  workspace_id,
  code_challenge: request['code_challenge'] ?? '',
  code_challenge_method: 'S256' as const,
  redirect_uri: request['redirect_uri'] ?? '',
  device_id: request['device_id'] ?? '',
  device_name: request['device_name'] ?? '',
});

/** To the agent on this machine, and to no other place: the address may come from anybody and contain any target. */
function goBack({ redirect_uri = '', state }: AuthorizeParams, answer: Readonly<Record<string, string>>): void {
  if (!isLoopbackRedirect(redirect_uri)) return;
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...answer, ...(state !== undefined && { state }) }))
    url.searchParams.set(name, value);
  location.assign(url);
}
