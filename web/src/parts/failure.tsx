import { type Query, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { CopyButton } from './snippet.tsx';

/** Those that a member can request. */
const roles = ['editor', 'admin'];
const lacking = ['insufficient_workspace_role', 'insufficient_scope'];

type FailureProps = {
  readonly error: Error;
  readonly needs?: string;
};

/** What failed, which role would do, and another try if it was a query that failed. */
export function Failure({ error, needs = 'admin' }: FailureProps) {
  const workspace = useWorkspace();
  const client = useQueryClient();
  const ofThis = { predicate: ({ state }: Query) => state.error === error };
  const failed = error instanceof ApiError ? error : null;
  const isBarred = failed !== null && lacking.includes(failed.code);
  return (
    <div role="alert" className="failure card">
      <h2>{isBarred ? texts.errors.noPermission(needs) : texts.errors.title}</h2>
      {isBarred && workspace && <p>{texts.errors.yourRole(workspace.role, workspace.name)}</p>}
      <p>{failed?.code === 'network' ? texts.errors.network : error.message}</p>
      {failed?.errors.map(({ path, message }) => (
        <p key={path}>
          <code>{path}</code> {message}
        </p>
      ))}
      {failed && (
        <p className="dim">
          {texts.errors.code} <code>{failed.code}</code>
          {failed.requestId && (
            <>
              {' · '}
              {texts.errors.requestId} <code>{failed.requestId}</code>{' '}
              <CopyButton text={failed.requestId} name={texts.errors.requestId} />
            </>
          )}
        </p>
      )}
      {isBarred && roles.some((role) => role === needs) && (
        <Link to="/access" search={{ role: needs }} className="button">
          {texts.errors.ask}
        </Link>
      )}
      {!isBarred && client.getQueryCache().findAll(ofThis).length > 0 && (
        <button type="button" onClick={() => client.refetchQueries(ofThis)}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}
