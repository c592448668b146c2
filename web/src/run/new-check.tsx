import { useId } from 'react';
import { api } from '../api/client.ts';
import { Failure } from '../parts/failure.tsx';
import { OptionField, Suggestions, TextField } from '../parts/fields.tsx';
import { splitList } from '../parts/split-list.ts';
import { useChange } from '../parts/use-change.ts';
import { texts } from '../texts.ts';

const severities = ['info', 'warning', 'critical'] as const;

type NewCheckProps = { readonly workspaceId: string; readonly enabled: boolean };

/** Makes a check out of a sentence. */
export function NewCheck({ workspaceId, enabled }: NewCheckProps) {
  const creating = useChange<unknown>(['checks', workspaceId]);
  const create = (form: FormData) =>
    api.POST('/v1/agent/checks', {
      body: {
        workspace_id: workspaceId,
        name: String(form.get('name')),
        expectation: String(form.get('expectation')),
        severity: severities.find((one) => one === form.get('severity')) ?? 'warning',
        enabled,
        scope: { include: splitList(form.get('include'), '\n') },
      },
    });
  return (
    <form className="card fields" onSubmit={creating.submit(create)}>
      <CheckFields />
      <button type="submit" className="primary" disabled={creating.isPending}>
        {texts.checks.create}
      </button>
      {creating.error && <Failure error={creating.error} needs="editor" />}
    </form>
  );
}

function CheckFields() {
  const examples = useId();
  return (
    <>
      <h2>{texts.checks.create}</h2>
      <div className="field-row">
        <TextField label={texts.checks.name} name="name" required maxLength={100} />
        <OptionField label={texts.checks.severity} name="severity" options={severities} defaultValue="warning" />
      </div>
      <label>
        {texts.checks.expectation}
        <input name="expectation" type="text" required maxLength={2_000} list={examples} autoComplete="off" />
        <span className="dim">{texts.checks.expectationHow}</span>
      </label>
      <Suggestions id={examples} values={texts.checks.examples} />
      <label>
        {texts.checks.include}
        <textarea name="include" rows={2} spellCheck={false} placeholder="shop.marts.*" />
      </label>
    </>
  );
}
