import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, contentOf } from '../api/client.ts';
import { tokensQuery } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { Time } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

const scopes = ['read', 'write', 'admin'] as const;
const clientKinds = ['ci', 'cli', 'agent', 'service', 'other'] as const;

/** Personal access tokens: made, listed and revoked. */
export function TokensPage() {
  const workspace = useWorkspace();
  const workspace_id = workspace?.id ?? '';
  const queries = useQueryClient();
  const query = useQuery(tokensQuery(workspace_id));
  const revoking = useMutation({
    mutationFn: (token_id: string) =>
      api.DELETE('/v1/auth/tokens/{token_id}', { params: { path: { token_id }, query: { workspace_id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens', workspace_id] }),
  });
  return (
    <div className="stack">
      <PageHead title={texts.tokens.title} lead={texts.tokens.lead} />
      {revoking.error && <Failure error={revoking.error} />}
      <Listed
        query={query}
        title={texts.tokens.title}
        headings={Object.values(texts.tokens.headings)}
        empty={texts.tokens.none}
        needs="admin"
      >
        {(query.data?.items ?? []).map(({ id, name, scopes: granted, client_kind, revoked_at, ...times }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td>{granted.join(', ')}</td>
            <td>{client_kind}</td>
            <td>
              <Time at={times.created_at} />
            </td>
            <td>
              <Time at={times.expires_at} />
            </td>
            <td>
              <Time at={times.last_used_at} />
            </td>
            <td>
              {revoked_at ? (
                <span className="dim">{texts.tokens.revoked}</span>
              ) : (
                <button type="button" aria-label={`${texts.tokens.revoke} ${name}`} onClick={() => revoking.mutate(id)}>
                  {texts.tokens.revoke}
                </button>
              )}
            </td>
          </tr>
        ))}
      </Listed>
      {query.data && <Create workspaceId={workspace_id} />}
    </div>
  );
}

function Create({ workspaceId }: { readonly workspaceId: string }) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<readonly (typeof scopes)[number][]>(['read']);
  const creating = useMutation({
    mutationFn: (form: FormData) =>
      contentOf(
        api.POST('/v1/auth/tokens', {
          body: {
            workspace_id: workspaceId,
            name: String(form.get('name')),
            expires_in_days: Number(form.get('days')),
            scopes: [...chosen],
            client_kind: clientKinds.find((kind) => kind === form.get('kind')) ?? 'other',
          },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens', workspaceId] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    creating.mutate(new FormData(event.currentTarget));
  };
  return (
    <form className="card fields" onSubmit={submit}>
      <h2>{texts.tokens.create}</h2>
      <label>
        {texts.tokens.name}
        <input name="name" type="text" required maxLength={100} autoComplete="off" />
      </label>
      <div className="field-row">
        <label>
          {texts.tokens.days}
          <input name="days" type="number" min={1} max={365} defaultValue={90} required />
        </label>
        <label>
          {texts.tokens.kind}
          <select name="kind">
            {clientKinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
      </div>
      <fieldset className="field-row">
        <legend>{texts.tokens.scopes}</legend>
        {scopes.map((scope) => (
          <label key={scope} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ target }) =>
                setChosen(target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
              }
            />
            {scope}
          </label>
        ))}
      </fieldset>
      <button type="submit" className="primary" disabled={chosen.length === 0 || creating.isPending}>
        {texts.tokens.create}
      </button>
      {creating.error && <Failure error={creating.error} />}
      {creating.data && <Snippet label={texts.tokens.created} text={creating.data.token} />}
    </form>
  );
}
