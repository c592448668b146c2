import type { ComponentProps } from 'react';

type TextFieldProps = ComponentProps<'input'> & { readonly label: string };

/** A line of text in a form. */
export const TextField = ({ label, className, ...input }: TextFieldProps) => (
  <label className={className}>
    {label}
    <input type="text" autoComplete="off" {...input} />
  </label>
);

type OptionFieldProps = ComponentProps<'select'> & {
  readonly label: string;
  readonly name: string;
  readonly options: readonly string[];
};

/** One of some words in a form, read by its name; the first, unless another is the default. */
export const OptionField = ({ label, options, className, ...select }: OptionFieldProps) => (
  <label className={className}>
    {label}
    <select {...select}>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  </label>
);

/** What a text field proposes, whose `list` is the id. */
export const Suggestions = ({ id, values }: { readonly id: string; readonly values: Iterable<string> }) => (
  <datalist id={id}>
    {[...values].map((value) => (
      <option key={value} value={value} />
    ))}
  </datalist>
);

type SelectProps<Value extends string> = {
  readonly value: Value | undefined;
  /** What each value is called, in the order of the list. */
  readonly options: Readonly<Record<Value, string>>;
  readonly choose: (value: Value) => void;
  readonly 'aria-label'?: string;
};

/** One of some values, which acts as soon as it is chosen. */
export function Select<Value extends string>({ options, choose, ...select }: SelectProps<Value>) {
  const values = Object.keys(options) as Value[];
  return (
    <select {...select} onChange={({ target }) => choose(target.value as Value)}>
      {values.map((one) => (
        <option key={one} value={one}>
          {options[one]}
        </option>
      ))}
    </select>
  );
}

type ChoiceProps<Value extends string> = SelectProps<Value> & { readonly label: string; readonly className?: string };

export const Choice = <Value extends string>({ label, className, ...select }: ChoiceProps<Value>) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: Select is the control.
  <label className={className}>
    {label}
    <Select {...select} />
  </label>
);

type ChecklistProps<Option extends string> = {
  readonly title: string;
  readonly options: readonly Option[];
  readonly checked: readonly Option[];
  readonly change: (checked: Option[]) => void;
};

export const Checklist = <Option extends string>({ title, options, checked, change }: ChecklistProps<Option>) => (
  <fieldset className="field-row">
    <legend>{title}</legend>
    {options.map((option) => (
      <label key={option} className="check">
        <input
          type="checkbox"
          checked={checked.includes(option)}
          onChange={({ target }) =>
            change(target.checked ? [...checked, option] : checked.filter((one) => one !== option))
          }
        />
        {option.replaceAll('_', ' ')}
      </label>
    ))}
  </fieldset>
);
