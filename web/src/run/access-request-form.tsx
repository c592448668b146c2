import { api } from '../api/client.ts';
import { ConnectorField } from '../parts/connector-choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { OptionField, TextField } from '../parts/fields.tsx';
import { useChange } from '../parts/use-change.ts';
import type { Role } from '../shell/world.ts';
import { texts } from '../texts.ts';

const wanted: readonly Role[] = ['editor', 'admin'];

/** Asks the admins of a workspace for a role. */
export function AccessRequestForm({ workspaceId }: { readonly workspaceId: string }) {
  const asking = useChange<unknown>(['attention', workspaceId]);
  const ask = (form: FormData) =>
    api.POST('/v1/access/requests', {
      body: {
        workspace_id: workspaceId,
        connector_id: String(form.get('connector')),
        role: wanted.find((role) => role === form.get('role')) ?? 'editor',
        reason: String(form.get('reason')),
      },
    });
  return (
    <form className="card fields" onSubmit={asking.submit(ask)}>
      <h2>{texts.access.ask}</h2>
      <div className="field-row">
        <ConnectorField />
        <OptionField label={texts.access.role} name="role" options={wanted} />
      </div>
      <TextField label={texts.access.reason} name="reason" required maxLength={500} />
      <button type="submit" className="primary" disabled={asking.isPending}>
        {texts.access.send}
      </button>
      {asking.isSuccess && <p role="status">{texts.access.sent}</p>}
      {asking.error && <Failure error={asking.error} needs="viewer" />}
    </form>
  );
}
