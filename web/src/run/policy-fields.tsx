import { statementKinds } from '../../../shared/contract/vocabulary.ts';
import type { Policy } from '../api/queries.ts';
import { Checklist } from '../parts/checklist.tsx';
import { Choice } from '../parts/choice.tsx';
import { splitList } from '../parts/split-list.ts';
import { texts } from '../texts.ts';
import { PolicyRules } from './policy-rules.tsx';

type Filters = Policy['filters'];
type PolicyFieldsProps = { readonly filters: Filters; readonly change: (filters: Filters) => void };

/** The filters of a policy as fields. */
export const PolicyFields = ({ filters, change }: PolicyFieldsProps) => (
  <>
    <SchemaFields scope={filters.schema_scope} change={(schema_scope) => change({ ...filters, schema_scope })} />
    <PrincipalFields principals={filters.principals} change={(principals) => change({ ...filters, principals })} />
    <Checklist
      title={texts.policy.statementKinds}
      options={statementKinds}
      checked={filters.statement_kinds}
      change={(statement_kinds) => change({ ...filters, statement_kinds })}
    />
    <PolicyRules rules={filters.provider_rules} change={(provider_rules) => change({ ...filters, provider_rules })} />
  </>
);

type Scope = Filters['schema_scope'];
type SchemaFieldsProps = { readonly scope: Scope; readonly change: (scope: Scope) => void };

const SchemaFields = ({ scope, change }: SchemaFieldsProps) => (
  <>
    <Patterns
      label={texts.policy.schemaInclude}
      value={scope.include}
      change={(include) => change({ ...scope, include })}
    />
    <Patterns
      label={texts.policy.schemaExclude}
      value={scope.exclude}
      change={(exclude) => change({ ...scope, exclude })}
    />
  </>
);

type Principals = Filters['principals'];
type PrincipalFieldsProps = { readonly principals: Principals; readonly change: (principals: Principals) => void };

const PrincipalFields = ({ principals, change }: PrincipalFieldsProps) => (
  <>
    <Patterns
      label={texts.policy.principals}
      value={principals.patterns}
      change={(patterns) => change({ ...principals, patterns })}
    />
    <div className="field-row">
      <Choice
        label={texts.policy.principalMode}
        value={principals.mode}
        options={texts.policy.modes}
        choose={(mode) => change({ ...principals, mode })}
      />
      <Choice
        label={texts.policy.unmatched}
        value={principals.unmatched}
        options={texts.policy.unmatchedModes}
        choose={(unmatched) => change({ ...principals, unmatched })}
      />
    </div>
  </>
);

type PatternsProps = {
  readonly label: string;
  readonly value: readonly string[];
  readonly change: (patterns: string[]) => void;
};

/** One pattern a line; empty lines count for nothing. */
const Patterns = ({ label, value, change }: PatternsProps) => (
  <label>
    {label}
    <textarea
      rows={Math.max(2, value.length + 1)}
      defaultValue={value.join('\n')}
      onChange={({ target }) => change(splitList(target.value, '\n'))}
    />
  </label>
);
