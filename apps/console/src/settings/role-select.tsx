import { NativeSelect } from '@mantine/core';
import './role-select.css';

/** The role of a row. It has no frame until one points at the row or reaches it with the keyboard. */
export function RoleSelect<Role extends string>(props: {
  label: string;
  roles: { value: string; label: string }[];
  role: Role;
  isChanging: boolean;
  choose: (role: Role) => void;
}) {
  const { label, roles, role, isChanging, choose } = props;
  return (
    <NativeSelect
      className="role-select"
      aria-label={label}
      data={roles}
      value={role}
      disabled={isChanging}
      onChange={(event) => choose(event.currentTarget.value as Role)}
    />
  );
}
