import { useId } from 'react';
import { api } from '../api/client.ts';
import { Failure } from '../parts/failure.tsx';
import { useChange } from '../parts/use-change.ts';
import { texts } from '../texts.ts';

const severities = ['info', 'warning', 'critical'] as const;

/** Makes a check out of a sentence. */
export function NewCheck({ workspaceId, enabled }: { readonly workspaceId: string; readonly enabled: boolean }) {
  const examples = useId();
  const creating = useChange<unknown>(['checks', workspaceId]);
  return (
    <form
      className="card fields"
      onSubmit={creating.submit((form) =>
        api.POST('/v1/agent/checks', {
          body: {
            workspace_id: workspaceId,
            name: String(form.get('name')),
            expectation: String(form.get('expectation')),
            severity: severities.find((one) => one === form.get('severity')) ?? 'warning',
            enabled,
            scope: {
              include: String(form.get('include'))
                .split('\n')
                .map((line) => line.trim())
                .filter(Boolean),
            },
          },
        }),
      )}
    >
      <h2>{texts.checks.create}</h2>
      <div className="field-row">
        <label>
          {texts.checks.name}
          <input name="name" type="text" required maxLength={100} autoComplete="off" />
        </label>
        <label>
          {texts.checks.severity}
          <select name="severity" defaultValue="warning">
            {severities.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      <label>
        {texts.checks.expectation}
        <input name="expectation" type="text" required maxLength={2_000} list={examples} autoComplete="off" />
        <span className="dim">{texts.checks.expectationHow}</span>
      </label>
      <datalist id={examples}>
        {texts.checks.examples.map((example) => (
          <option key={example} value={example} />
        ))}
      </datalist>
      <label>
        {texts.checks.include}
        <textarea name="include" rows={2} spellCheck={false} placeholder="shop.marts.*" />
      </label>
      <button type="submit" className="primary" disabled={creating.isPending}>
        {texts.checks.create}
      </button>
      {creating.error && <Failure error={creating.error} needs="editor" />}
    </form>
  );
}
