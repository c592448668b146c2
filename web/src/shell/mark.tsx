/** The product's mark: streams that become one. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="8" className="mark-ground" />
    <path d="M6 9c8 0 8 7 20 7M6 23c8 0 8-7 20-7M6 16h20" className="mark-streams" />
  </svg>
);
