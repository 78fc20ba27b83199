/** The demo workspace's members besides the owner, one per role. All have the owner's password. */
export const demoPeople = [
  { name: 'Mira Castellanos', email: 'mira@waymark.example', role: 'admin' },
  { name: 'Jonas Lindqvist', email: 'jonas@waymark.example', role: 'member' },
  { name: 'Aiko Tanaka', email: 'aiko@waymark.example', role: 'viewer' },
] as const;
