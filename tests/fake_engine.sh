#!/bin/sh
# A fake engine: fake_engine.sh BEHAVIOUR [N]
# Answers like any engine, but misbehaves at its Nth question (default: at every one).
# It plays the first pit that reaches the other row, else the first that has seeds, which is always
# legal in abapa.

behaviour=$1
at=${2:-every}
asked=0
position=

answer() {
    set -- $(echo "$position" | tr '-' ' ')
    turn=${15}
    if [ "$turn" = N ]; then
        shift 6
        letters='a b c d e f'
    else
        letters='A B C D E F'
    fi
    reach=6
    filled=
    for letter in $letters; do
        if [ "$1" -ge "$reach" ]; then
            echo "bestmove $letter"
            return
        fi
        if [ "$1" -gt 0 ] && [ -z "$filled" ]; then
            filled=$letter
        fi
        reach=$((reach - 1))
        shift
    done
    echo "bestmove $filled"
}

empty_pit() {
    set -- $(echo "$position" | tr '-' ' ')
    turn=${15}
    letters='A B C D E F'
    if [ "$turn" = N ]; then
        shift 6
        letters='a b c d e f'
    fi
    for letter in $letters; do
        [ "$1" -eq 0 ] && echo "bestmove $letter" && return
        shift
    done
    # No pit is empty: a pit of the other side is as illegal.
    if [ "$turn" = N ]; then echo 'bestmove A'; else echo 'bestmove a'; fi
}

misbehave() {
    case $behaviour in
        crash) echo 'panic: no such pit' >&2; exit 3 ;;
        hang) exec sleep 1000 ;;
        quiet) ;;
        illegal) empty_pit ;;
        other-side) if [ "${position%S}" = "$position" ]; then echo 'bestmove A'; else echo 'bestmove a'; fi ;;
        colour) printf 'bestmove \033[2J%02000d\n' 7 ;;
        garbage) echo 'bestmove q9' ;;
        empty) echo 'bestmove' ;;
        no-move) echo 'bestmove 0000' ;;
        close) exec >&-; exec sleep 1000 ;;
        flood) while :; do echo 'info depth 1 score cp 0 pv A'; done ;;
        mute-flood) while :; do printf 'info string xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; done ;;
        moan) while :; do echo 'warning: something' >&2; done ;;
        binary) printf '\377\376\001\n'; answer ;;
        twice) answer; answer ;;
        *) answer ;;
    esac
}

case $behaviour in
    dead) exit 1 ;;
    # A helper that outlives the engine unless it is ended with it.
    helper) sleep 1000 <&- >&- 2>&- & echo $! >>"$2" ;;
    slow) sleep "${2:-1}" ;;
esac

while read -r command kind rest; do
    case $command in
        uci)
            [ "$behaviour" = no-handshake ] && continue
            echo "id name Fake $behaviour"
            echo 'id author Nobody'
            echo 'option name Hash type spin default 1 min 1 max 2'
            case $behaviour in
                rules)
                    echo 'option name rules type combo default Wari var Wari var Awari var Abapa'
                    echo 'option name Repetition type combo default own-side var own-side var split'
                    echo 'option name PlayOn type check default false'
                    ;;
                other-rules) echo 'option name Rules type combo default Chess var Chess' ;;
                colour)
                    printf 'id name \033[31mRed\007 Engine\n'
                    printf 'id author \033]0;title\007%02000d\n' 7
                    ;;
            esac
            echo 'uciok'
            case $behaviour in
                deaf) while :; do echo readyok; echo 'bestmove A'; done ;;
                asleep) exec sleep 1000 ;;
            esac
            ;;
        setoption) [ "$behaviour" = rules ] && echo "$kind $rest" >>"$2" ;;
        isready) echo 'readyok' ;;
        position) position=$rest ;;
        go)
            asked=$((asked + 1))
            echo "info depth 1 score cp 0"
            if [ "$at" = every ] || [ "$asked" = "$at" ]; then misbehave; else answer; fi
            ;;
        quit) [ "$behaviour" = stay ] || exit 0 ;;
    esac
done
