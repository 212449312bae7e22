// The door of the player. It loads xterm: import it lazily.
export { Player, type PlayerPorts } from './Player.tsx';
