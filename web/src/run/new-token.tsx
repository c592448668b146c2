import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { Checklist } from '../parts/checklist.tsx';
import { Failure } from '../parts/failure.tsx';
import { OptionField, TextField } from '../parts/fields.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { useChange } from '../parts/use-change.ts';
import { texts } from '../texts.ts';

const scopes = ['read', 'write', 'admin'] as const;
const clientKinds = ['ci', 'cli', 'agent', 'service', 'other'] as const;

/** Makes a token, and shows it: the service tells it this once. */
export function NewToken({ workspaceId }: { readonly workspaceId: string }) {
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
    <form className="card fields" onSubmit={create}>
      <h2>{texts.tokens.create}</h2>
      <TextField label={texts.tokens.name} name="name" required maxLength={100} />
      <div className="field-row">
        <TextField label={texts.tokens.days} name="days" type="number" min={1} max={365} defaultValue={90} required />
        <OptionField label={texts.tokens.kind} name="kind" options={clientKinds} />
      </div>
      <Checklist title={texts.tokens.scopes} options={scopes} checked={granted} change={setGranted} />
      <button type="submit" className="primary" disabled={granted.length === 0 || creating.isPending}>
        {texts.tokens.create}
      </button>
      {creating.error && <Failure error={creating.error} />}
      {creating.data && <Snippet label={texts.tokens.created} text={creating.data.token} />}
    </form>
  );
}
