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
  readonly retry?: () => unknown;
};

export function Failure({ error, needs = 'admin', retry }: FailureProps) {
  const workspace = useWorkspace();
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
      {retry && !isBarred && (
        <button type="button" onClick={() => retry()}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}
