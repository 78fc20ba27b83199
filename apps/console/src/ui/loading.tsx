import { uiTexts as t } from '../texts/ui.ts';

/** Lines in the place of a page, a list or a part of one while it loads. */
export function Loading({ label = t.loading }: { label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      <div />
      <div />
      <div />
      <div />
    </div>
  );
}
