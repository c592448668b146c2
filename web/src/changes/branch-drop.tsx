import { type DragEvent, useState } from 'react';
import { Choice } from '../parts/choice.tsx';
import { texts } from '../texts.ts';
import { type Branch, readBranch } from './compare-branch.ts';

const problems = { no_json: texts.changes.invalidFile, unknown: texts.changes.unknownFile } as const;

type Matching = Pick<Branch, 'projectId' | 'matchBy'>;

/** Where a branch's manifest is dropped, or chosen. */
export function BranchDrop({ drop }: { readonly drop: (branch: Branch) => void }) {
  const [problem, setProblem] = useState<keyof typeof problems | null>(null);
  const [matching, setMatching] = useState<Matching>({ projectId: '', matchBy: 'relation' });
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const read = await readBranch(file);
    setProblem(typeof read === 'string' ? read : null);
    if (typeof read !== 'string') drop({ ...read, name: file.name, ...matching });
  };
  const dropTarget = useDropTarget(take);
  return (
    <div className="card drop" {...dropTarget}>
      <label className="field">
        <span>
          <strong>{texts.changes.drop}</strong> {texts.changes.choose}
        </span>
        <input type="file" accept=".json,application/json" onChange={({ target }) => take(target.files?.[0])} />
      </label>
      <MatchingFields matching={matching} change={setMatching} />
      {problem && (
        <p role="alert" className="field-error">
          {problems[problem]}
        </p>
      )}
    </div>
  );
}

/** What makes an element take a file that is dragged onto it; the file field does the same by the keyboard. */
function useDropTarget(take: (file: File | undefined) => Promise<void>) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver,
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void take(event.dataTransfer.files[0]);
    },
  };
}

const matches = { relation: texts.changes.matchRelation, model: texts.changes.matchModel };

type MatchingFieldsProps = { readonly matching: Matching; readonly change: (matching: Matching) => void };

const MatchingFields = ({ matching, change }: MatchingFieldsProps) => (
  <div className="field-row">
    <label className="field">
      {texts.changes.projectId}
      <input
        type="text"
        value={matching.projectId}
        onChange={({ target }) => change({ ...matching, projectId: target.value })}
      />
    </label>
    <Choice
      className="field"
      label={texts.changes.matchBy}
      value={matching.matchBy}
      options={matches}
      choose={(matchBy) => change({ ...matching, matchBy })}
    />
  </div>
);
