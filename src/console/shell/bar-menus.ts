// The menus of the top bar, which put themselves where commands find them.
import type { RefCallback } from 'react';
import type { Tools } from '../../../commands/command.ts';
import type { MenuHandle } from '../ui/Menu.tsx';

type BarMenu = Parameters<NonNullable<Tools['frame']>['open']>[0];
/** Those that are on screen. */
export type BarMenus = Map<BarMenu, MenuHandle>;

/** Keeps a menu among the others for as long as it is on screen. */
export const putIn =
  (menus: BarMenus, name: BarMenu): RefCallback<MenuHandle> =>
  menu => {
    if (menu === null) menus.delete(name);
    else menus.set(name, menu);
  };
