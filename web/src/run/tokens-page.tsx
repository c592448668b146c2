import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { type Token, tokensQuery } from '../api/run-queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Time } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { NewToken } from './new-token.tsx';

/** Personal access tokens: made, listed and revoked. */
export function TokensPage() {
  const workspace = useWorkspace();
  const workspace_id = workspace?.id ?? '';
  const query = useQuery(tokensQuery(workspace_id));
  const revoking = useChange<unknown>(['tokens', workspace_id]);
  const revoke = (token_id: string) =>
    revoking.change(() =>
      api.DELETE('/v1/auth/tokens/{token_id}', { params: { path: { token_id }, query: { workspace_id } } }),
    );
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
        {(query.data?.items ?? []).map((token) => (
          <TokenRow key={token.id} token={token} revoke={() => revoke(token.id)} />
        ))}
      </Listed>
      {query.data && <NewToken workspaceId={workspace_id} />}
    </div>
  );
}

const TokenRow = ({ token, revoke }: { readonly token: Token; readonly revoke: () => void }) => (
  <tr>
    <th scope="row">{token.name}</th>
    <td>{token.scopes.join(', ')}</td>
    <td>{token.client_kind}</td>
    <td>
      <Time at={token.created_at} />
    </td>
    <td>
      <Time at={token.expires_at} />
    </td>
    <td>
      <Time at={token.last_used_at} />
    </td>
    <td>
      {token.revoked_at ? (
        <span className="dim">{texts.tokens.revoked}</span>
      ) : (
        <button type="button" aria-label={`${texts.tokens.revoke} ${token.name}`} onClick={revoke}>
          {texts.tokens.revoke}
        </button>
      )}
    </td>
  </tr>
);
