import { type DragEvent, useState } from 'react';
import { texts } from '../texts.ts';
import { type Branch, readBranch } from './compare-branch.ts';

const problems = { no_json: texts.changes.invalidFile, unknown: texts.changes.unknownFile } as const;

/** Where a branch's manifest is dropped, or chosen. */
export function BranchDrop({ drop }: { readonly drop: (branch: Branch) => void }) {
  const [problem, setProblem] = useState<keyof typeof problems | null>(null);
  const [isOver, setOver] = useState(false);
  const [projectId, setProjectId] = useState('');
  const [matchBy, setMatchBy] = useState<Branch['matchBy']>('relation');
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const read = await readBranch(file);
    setProblem(typeof read === 'string' ? read : null);
    if (typeof read !== 'string') drop({ ...read, name: file.name, projectId, matchBy });
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the file field inside does the same by the keyboard.
    <div
      className="card drop"
      data-over={isOver}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer.files[0]);
      }}
    >
      <label className="field">
        <span>
          <strong>{texts.changes.drop}</strong> {texts.changes.choose}
        </span>
        <input type="file" accept=".json,application/json" onChange={({ target }) => take(target.files?.[0])} />
      </label>
      <div className="field-row">
        <label className="field">
          {texts.changes.projectId}
          <input type="text" value={projectId} onChange={({ target }) => setProjectId(target.value)} />
        </label>
        <label className="field">
          {texts.changes.matchBy}
          <select
            value={matchBy}
            onChange={({ target }) => setMatchBy(target.value === 'model' ? 'model' : 'relation')}
          >
            <option value="relation">{texts.changes.matchRelation}</option>
            <option value="model">{texts.changes.matchModel}</option>
          </select>
        </label>
      </div>
      {problem && (
        <p role="alert" className="field-error">
          {problems[problem]}
        </p>
      )}
    </div>
  );
}
