import type { ComponentProps } from 'react';

type TextFieldProps = ComponentProps<'input'> & { readonly label: string; readonly name: string };

/** A line of text in a form, read by its name. */
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
