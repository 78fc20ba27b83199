import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { chooseLanguage, type Language } from '../texts/language.ts';
import { showUser } from './session-query.ts';

/** Stores the language of mails in the account, and shows the console of this browser in it too if asked. */
export function useLanguage() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ code }: { code: Language; ofConsole: boolean }) =>
      code === 'ar-XB' ? null : api.patch('/auth/me', { body: { language: code } }),
    onSuccess: (user, { code, ofConsole }) => {
      if (user) showUser(queryClient, user);
      if (ofConsole) chooseLanguage(code);
    },
  });
}
