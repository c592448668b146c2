import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { type Token, tokensQuery } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Checklist, OptionField, TextField } from '../parts/fields.tsx';
import { Listed } from '../parts/listed.tsx';
import { NewEntry } from '../parts/modal.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { TimeCell } from '../parts/time.tsx';
import { UndoableButton } from '../parts/undoable-button.tsx';
import { useChange } from '../parts/use-change.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

const sortBy = {
  name: ({ name }: Token) => name,
  scopes: ({ scopes }: Token) => scopes.join(),
  kind: ({ client_kind }: Token) => client_kind,
  created: ({ created_at }: Token) => created_at,
  expires: ({ expires_at }: Token) => expires_at,
  used: ({ last_used_at }: Token) => last_used_at,
};

export function TokensPage() {
  const workspace = useWorkspace();
  const workspace_id = workspace?.id ?? '';
  const query = useQuery(tokensQuery(workspace_id));
  const revoking = useChange(['tokens', workspace_id]);
  const revoke = (token_id: string) =>
    revoking.change(() =>
      api.DELETE('/v1/auth/tokens/{token_id}', { params: { path: { token_id }, query: { workspace_id } } }),
    );
  return (
    <div className="stack">
      <PageHead title={texts.tokens.title} lead={texts.tokens.lead}>
        {query.data && <NewEntry title={texts.tokens.new} form={() => <NewToken workspaceId={workspace_id} />} />}
      </PageHead>
      {revoking.error && <Failure error={revoking.error} />}
      <Listed
        query={query}
        of={texts.tokens}
        needs="admin"
        items={query.data?.items ?? []}
        sortBy={sortBy}
        row={(token) => <TokenRow key={token.id} token={token} revoke={() => revoke(token.id)} />}
      />
    </div>
  );
}

const TokenRow = ({ token, revoke }: { readonly token: Token; readonly revoke: () => void }) => (
  <tr>
    <th scope="row">{token.name}</th>
    <td>{token.scopes.join(', ')}</td>
    <td>{token.client_kind}</td>
    <TimeCell at={token.created_at} />
    <TimeCell at={token.expires_at} />
    <TimeCell at={token.last_used_at} />
    <td>
      {token.revoked_at ? (
        <span className="dim">{texts.revoked}</span>
      ) : (
        <UndoableButton label={texts.revoke} name={token.name} act={revoke} />
      )}
    </td>
  </tr>
);

const scopes = ['read', 'write', 'admin'] as const;
const clientKinds = ['ci', 'cli', 'agent', 'service', 'other'] as const;

/** Makes a token, and shows it: the service tells it this once. */
function NewToken({ workspaceId }: { readonly workspaceId: string }) {
  const [granted, setGranted] = useState<(typeof scopes)[number][]>(['read']);
  const creating = useChange<{ readonly token: string }>(['tokens', workspaceId]);
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = {
      workspace_id: workspaceId,
      name: String(form.get('name')),
      expires_in_days: Number(form.get('days')),
      scopes: granted,
      client_kind: clientKinds.find((kind) => kind === form.get('kind')) ?? 'other',
    };
    creating.change(() => api.POST('/v1/auth/tokens', { body }));
  };
  return (
    <form className="fields" onSubmit={create}>
      <TextField label={texts.tokens.headings.name} name="name" required maxLength={100} />
      <div className="field-row">
        <TextField label={texts.tokens.days} name="days" type="number" min={1} max={365} defaultValue={90} required />
        <OptionField label={texts.tokens.headings.kind} name="kind" options={clientKinds} />
      </div>
      <Checklist title={texts.tokens.headings.scopes} options={scopes} checked={granted} change={setGranted} />
      <button type="submit" className="primary" disabled={granted.length === 0 || creating.isPending}>
        {texts.tokens.create}
      </button>
      {creating.error && <Failure error={creating.error} />}
      {creating.data && <Snippet label={texts.tokens.created} text={creating.data.token} />}
    </form>
  );
}
